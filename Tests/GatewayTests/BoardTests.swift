// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

@Suite(.timeLimit(.minutes(2))) struct BoardTests {
    private let world: BoardWorld
    private let routes: [Route]

    init() throws {
        world = try BoardWorld()
        routes = world.routes()
    }

    private var drawn: [BoardRequest] { world.service.withLock(\.drawn) }
    private var layouts: Int { world.service.withLock(\.layoutsRequested) }

    /// Returns the sequence numbers of the layouts in a picture.
    private func numbers(_ response: WebResponse) throws -> [UInt64] {
        try response.drawnBoard().cells.compactMap { cell in cell.layout.views.first?.id.flatMap { UInt64($0) } }
    }

    // MARK: One board

    @Test func aCompleteBoardIsDrawnFromTheLayoutsOfItsCells() async throws {
        try world.publish("news", 11)
        try world.publish("weather", 12)
        #expect(try await routes.board("kitchen.png").status == 503)
        try world.publish("home", 13)
        let response = try await routes.board("kitchen.png")
        #expect(response.status == 200 && response.header("Content-Type") == "image/png")
        #expect(try numbers(response) == [11, 12, 13])
        let request = try response.drawnBoard()
        #expect(request.board == world.gateway.configuration.boards.first && request.lastChange != nil)
        #expect(layouts == 3)
    }

    @Test func oneChangeCostsOneLayoutAndOneDrawing() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        for _ in 0..<5 { #expect(try await routes.board("kitchen.png").header("ETag") == first.header("ETag")) }
        #expect(layouts == 3 && drawn.count == 1)
        try world.publish("weather", 20)
        let second = try await routes.board("kitchen.png")
        #expect(second.header("ETag") != first.header("ETag"))
        #expect(try numbers(second) == [10, 20, 10])
        #expect(layouts == 4 && drawn.count == 2)
    }

    @Test func aCycleThatLooksTheSameCostsNothing() async throws {
        let world = try BoardWorld(BoardWorld.text("none"))
        let routes = world.routes()
        try world.publishAll(10)
        let tag = try await routes.board("kitchen.png").header("ETag")
        for sequence in 11...19 as ClosedRange<UInt64> { try world.publish("news", sequence) }
        #expect(try await routes.board("kitchen.png").header("ETag") == tag)
        #expect(world.service.withLock(\.layoutsRequested) == 3 && world.service.withLock(\.drawn.count) == 1)
    }

    @Test func conditionalRequestsPaintNothing() async throws {
        try world.publishAll(10)
        let tag = try #require(try await routes.board("kitchen.json").document().etag)
        let modified = try #require(try await routes.board("kitchen.png", method: "HEAD").header("Last-Modified"))
        for _ in 0..<10_000 {
            let response = try await routes.board("kitchen.png", headers: [WebHeader("If-None-Match", tag)])
            #expect(response.status == 304)
        }
        #expect(
            try await routes.board("kitchen.png", headers: [WebHeader("If-Modified-Since", modified)]).status == 304
        )
        #expect(drawn.isEmpty && layouts == 3)
    }

    @Test func theTimeOfTheLastVisibleChangeIsTheLastModification() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        try world.publish("news", 20)
        let second = try await routes.board("kitchen.png")
        let kitchen = try #require(BoardID(rawValue: "kitchen"))
        let change = try #require(world.gateway.view.board(kitchen)?.state.lastChange)
        #expect(second.header("Last-Modified") == HTTPDate.text(change.milliseconds / 1_000))
        #expect(second.header("Last-Modified") != first.header("Last-Modified"))
        #expect(second.header("Tidings-Next-Certain-Change") != nil)
        #expect(second.header("Tidings-Next-Change") == second.header("Tidings-Next-Certain-Change"))
    }

    @Test func theDocumentTellsWhatThePictureShows() async throws {
        try world.publish("news", 11)
        try world.publish("weather", 12)
        try world.publish("home", 13)
        let picture = try await routes.board("kitchen.png")
        let document = try await routes.board("kitchen.json").document()
        #expect(document.etag == picture.header("ETag") && document.isCurrent)
        #expect(document.cells.map(\.sequence) == [11, 12, 13])
        #expect(
            document.cells.map(\.digest) == [
                BoardWorld.digest(try Samples.widget("news"), 11), BoardWorld.digest(try Samples.widget("weather"), 12),
                BoardWorld.digest(try Samples.widget("home"), 13),
            ]
        )
        #expect(document.revision == world.gateway.configuration.boards[0].revision)
        #expect(document.png == "/boards/kitchen.png" && document.width == 800)
    }

    @Test func theDocumentIsNeverAnsweredBy304() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.json")
        #expect(first.header("ETag") == nil && first.header("Last-Modified") == nil)
        let tag = try #require(first.document().etag)
        let second = try await routes.board("kitchen.json", headers: [WebHeader("If-None-Match", tag)])
        #expect(second.status == 200 && second.body == first.body)
    }

    @Test func anUnknownBoardIsNotFound() async throws {
        for file in ["hall.png", "kitchen.gif", "kitchen", "Küche.png"] {
            #expect(try await routes.board(file).status == 404, "\(file)")
        }
        #expect(String(decoding: try await routes.board("hall.png").body, as: UTF8.self).contains("there are kitchen"))
    }

    // MARK: The last good picture

    @Test func aBoardThatIsNotCompleteKeepsItsLastPictureAlsoAfterARestart() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        let changed = try TidingsConfiguration.parse(BoardWorld.text(name: "Post"))
        world.gateway.live.replace(changed)
        try world.publish("weather", 20)
        for routes in [routes, world.routes()] {
            let response = try await routes.board("kitchen.png")
            #expect(response.status == 200 && response.header("ETag") == first.header("ETag"))
            #expect(response.body == first.body)
            let document = try await routes.board("kitchen.json").document()
            #expect(!document.isCurrent && document.etag == first.header("ETag"))
        }
        try world.publish("news", 20)
        try world.publish("home", 20)
        let second = try await routes.board("kitchen.png")
        #expect(try numbers(second) == [20, 20, 20])
        #expect(try second.drawnBoard().board.revision == changed.boards[0].revision)
    }

    @Test func documentsDescribeTheBoardOfTheLastPicture() async throws {
        try world.publishAll(10)
        let revision = world.gateway.configuration.boards[0].revision
        let digest = try await routes.board("kitchen.json").document().digest
        _ = try await routes.board("kitchen.png")
        let size = "width: 400\n    height: 300\n    palette: gray4"
        let text = BoardWorld.text().replacing("model: trmnl-og", with: size)
        world.gateway.live.replace(try TidingsConfiguration.parse(text))
        try world.publish("weather", 20)
        let restarted = world.routes()
        for routes in [routes, restarted] {
            for document in try await [routes.board("kitchen.json").document()] + routes.boards() {
                #expect(document.revision == revision && document.digest == digest && !document.isCurrent)
                #expect(document.width == 800 && document.palette == .mono && document.cells[0].frame.width > 400)
            }
        }
        try world.publish("news", 20)
        try world.publish("home", 20)
        for document in try await [routes.board("kitchen.json").document()] + routes.boards() {
            #expect(document.width == 400 && document.palette == .gray4 && document.isCurrent)
        }
    }

    @Test func aBoardThatTheConfigurationNoLongerHasIsForgotten() async throws {
        var gateway = world.gateway
        gateway.boardPictures = BoardPictureStore(nil)
        let routes = world.routes(of: gateway)
        try world.publishAll(10)
        #expect(try await routes.board("kitchen.png").status == 200)
        let hall = BoardWorld.text().replacing("  kitchen:", with: "  hall:")
        gateway.live.replace(try TidingsConfiguration.parse(hall))
        try world.publishAll(20)
        #expect(try await routes.board("hall.png").status == 200)
        gateway.live.replace(try TidingsConfiguration.parse(BoardWorld.text(name: "Post")))
        #expect(try await routes.board("kitchen.png").status == 503)
    }

    @Test func aBoardKeepsItsLastPictureWhileLayoutIsDown() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        world.service.withLock { $0.problem = Problem(503, "unavailable", "A service cannot answer now.", "") }
        try world.publish("news", 20)
        #expect(try await routes.board("kitchen.png").body == first.body)
        #expect(try await routes.board("kitchen.svg").status == 503)
        world.service.withLock { $0.problem = nil }
        #expect(try numbers(await routes.board("kitchen.png")) == [20, 10, 10])
    }

    @Test func theLayoutsThatWereNotUsedForLongestAreDropped() throws {
        let layouts = CellLayouts(maximumBytes: 100)
        let (news, digest) = (try Samples.widget("news"), BoardWorld.digest(try Samples.widget("news"), 10))
        let cells = try (0..<20).map { number in
            BoardState.Cell(
                place: BoardPlace(id: try #require(BoardID(rawValue: "b")), revision: "r", cell: number, of: 20),
                widget: news,
                display: try #require(DisplayName(rawValue: "b-\(number)")),
                sequence: 10,
                digest: digest
            )
        }
        for cell in cells {
            let layout = CellLayout(
                layout: Layout(size: Size(width: 10, height: 10), views: []),
                digest: digest,
                sequence: 10,
                engine: nil,
                announcedDigest: digest,
                bytes: 10
            )
            layouts.keep(layout, of: cell.display)
        }
        let kept = cells.map { layouts.layout(of: $0, engine: nil) != nil }
        #expect(kept.count { $0 } <= 10 && kept[19] && !kept[0])
    }

    // MARK: Races

    /// The sequence numbers of a widget that changes all the time.
    private final class Counter: Sendable {
        private let number = Lock<UInt64>(20)

        var last: UInt64 { number.withLock { $0 } }

        func next() -> UInt64 {
            number.withLock { number in
                number += 10
                return number
            }
        }
    }

    @Test func aCellThatIsNoLongerStoredIsDrawnFromTheNewerUpdate() async throws {
        try world.publishAll(10)
        let news = try Samples.widget("news")
        let world = world
        // The cache has trimmed the cycle, and the newer update arrives while the layout is requested.
        world.service.withLock { service in
            service.oldestStored[news] = 20
            service.beforeLayout = { request in
                if request.widget == news, request.sequence == 10 { _ = try? world.publish("news", 20) }
            }
        }
        let response = try await routes.board("kitchen.png")
        #expect(try numbers(response) == [20, 10, 10])
        let document = try await routes.board("kitchen.json").document()
        #expect(document.etag == response.header("ETag") && document.cells.map(\.sequence) == [20, 10, 10])
    }

    @Test func widgetsThatChangeFasterThanTheBoardIsDrawnKeepTheLastPicture() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        let news = try Samples.widget("news")
        let number = Counter()
        let world = world
        world.service.withLock { service in
            service.beforeLayout = { request in
                guard request.widget == news else { return }
                let next = number.next()
                world.service.withLock { $0.oldestStored[news] = SequenceNumber(next) }
                _ = try? world.publish("news", next)
            }
        }
        try world.publish("news", 20)
        let response = try await routes.board("kitchen.png")
        #expect(response.status == 200 && response.header("ETag") == first.header("ETag"))
        world.service.withLock { $0.beforeLayout = nil }
        #expect(try numbers(await routes.board("kitchen.png")) == [number.last, 10, 10])
    }

    @Test func simultaneousRequestsShareOneDrawing() async throws {
        try world.publishAll(10)
        let routes = routes
        let tags = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await routes.board("kitchen.png").header("ETag") } }
            return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(tags.count == 1 && drawn.count == 1 && layouts == 3)
    }

    @Test func aBoardWithoutAnyWidgetHasNoPicture() async throws {
        let empty = try BoardWorld(
            "boards: {kitchen: {model: trmnl-og, layout: full, cells: [{widget: gone}]}}\nwidgets: {}"
        )
        let response = try await empty.routes().board("kitchen.png")
        #expect(response.status == 503 && response.header("Retry-After") == nil)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains("None of the widgets of board 'kitchen' exists"))
    }

    @Test func aBoardWhoseWidgetsAreAllRemovedDoesNotKeepItsPicture() async throws {
        try world.publishAll(10)
        let routes = routes
        #expect(try await routes.board("kitchen.png").status == 200)
        world.gateway.live.replace(
            try TidingsConfiguration.parse(
                "boards: {kitchen: {model: trmnl-og, layout: full, cells: [{widget: gone}]}}\nwidgets: {}"
            )
        )
        for widget in BoardWorld.widgets { try world.publish(widget, 20, isRemoved: true) }
        #expect(try await routes.board("kitchen.png").status == 503)
    }
}
