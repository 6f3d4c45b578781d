// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Dispatch
import Foundation
import Locking
import ServiceRuntime
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// The stored pictures of boards.
@Suite(.timeLimit(.minutes(2))) struct BoardStoreTests {
    private let world: BoardWorld
    private let routes: [Route]
    private let kitchen: BoardID

    init() throws {
        world = try BoardWorld()
        routes = world.routes()
        kitchen = try #require(BoardID(rawValue: "kitchen"))
    }

    private var store: BoardPictureStore { world.gateway.boardPictures }

    /// The entity tag of the stored picture; nil if there is none.
    private var storedTag: String? { store.picture(of: kitchen, .png)?.picture.key.entityTag }

    // MARK: The disk

    @Test func aRunningGatewayKeepsTheLastPictureThatItCannotStore() async throws {
        let boards = world.folder.url.appending(path: "boards")
        let stores = [
            BoardPictureStore(nil), BoardPictureStore((URL(filePath: "/dev/null/boards"), 64 << 20)),
            BoardPictureStore((boards, 10)),
        ]
        for store in stores {
            let world = try BoardWorld()
            var gateway = world.gateway
            gateway.boardPictures = store
            let routes = world.routes(of: gateway)
            try world.publishAll(10)
            let first = try await routes.board("kitchen.png")
            world.service.withLock { $0.problem = Problem(503, "unavailable", "A service cannot answer now.", "") }
            try world.publish("news", 20)
            #expect(try await routes.board("kitchen.png").body == first.body)
        }
    }

    @Test func aPictureThatCouldNotBeStoredIsStoredLater() async throws {
        let boards = world.folder.url.appending(path: "boards")
        try Data().write(to: boards)
        try world.publishAll(10)
        _ = try await routes.board("kitchen.png")
        // Waits until the write has failed.
        #expect(storedTag == nil)
        try FileManager.default.removeItem(at: boards)
        _ = try await routes.board("kitchen.png")
        #expect(storedTag != nil)
        #expect(world.service.withLock(\.drawn).count == 1)
    }

    @Test func aRequestDoesNotWaitForTheDiskAndTheLatestPictureIsStored() async throws {
        try world.publishAll(10)
        _ = try await routes.board("kitchen.png")
        let queue = store.queue
        queue.suspend()
        var tags: [String] = []
        for sequence in [20, 30] as [UInt64] {
            _ = try? world.publish("news", sequence)
            if let tag = try? await routes.board("kitchen.png").header("ETag") { tags.append(tag) }
        }
        queue.resume()
        #expect(Set(tags).count == 2 && storedTag == tags.last)
    }

    @Test func aStoredPictureThatIsDamagedIsDrawnAgain() async throws {
        try world.publishAll(10)
        _ = try await routes.board("kitchen.png")
        #expect(storedTag != nil)
        let file = world.folder.url.appending(path: "boards/kitchen.png")
        var data = try Data(contentsOf: file)
        data[data.count - 1] ^= 1
        try data.write(to: file)
        #expect(storedTag == nil)
        #expect(try await world.routes().board("kitchen.png").status == 200)
    }

    @Test func aStoredPictureIsReadFromTheDiskOnce() async throws {
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png")
        #expect(storedTag != nil)
        let restarted = try BoardWorld(folder: world.folder).routes()
        let tag = try await restarted.boards().first?.digest
        #expect(tag != nil)
        try FileManager.default.removeItem(at: world.folder.url.appending(path: "boards/kitchen.png"))
        #expect(try await restarted.boards().first?.digest == tag)
        #expect(try await restarted.board("kitchen.png").body == first.body)
    }

    @Test func storedPicturesAreLimited() throws {
        let store = BoardPictureStore((world.folder.url.appending(path: "small"), 5_000))
        for number in 0..<20 {
            var board = try #require(world.gateway.configuration.boards.first)
            board.id = try #require(BoardID(rawValue: "b\(number)"))
            let drawn = DrawnBoard(board: board, cells: [], hasHeader: false, engines: [])
            let body = SharedBytes(Data(repeating: UInt8(number), count: 1_000))
            let picture = Picture(key: try #require(drawn.key(.png)), body: body)
            try store.queue.sync { try store.keep(drawn, picture) }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: world.folder.path + "/small")
        #expect(files.count <= 5 && files.contains("b19.png"))
        #expect(store.picture(of: try #require(BoardID(rawValue: "b19")), .png)?.picture.body.count == 1_000)
    }

    // MARK: Removed boards

    @Test func aBoardThatIsRemovedAndAddedAgainDoesNotShowItsFormerPicture() async throws {
        try world.publishAll(10)
        #expect(try await routes.board("kitchen.png").status == 200)
        #expect(storedTag != nil)
        let text = BoardWorld.text(name: "Post")
        world.gateway.live.replace(try TidingsConfiguration.parse(text.replacing("  kitchen:", with: "  hall:")))
        #expect(storedTag == nil)
        world.gateway.live.replace(try TidingsConfiguration.parse(text))
        for routes in [routes, world.routes()] { #expect(try await routes.board("kitchen.png").status == 503) }
    }

    @Test func aGatewayRemovesAtItsStartTheFilesOfBoardsThatItDoesNotHave() async throws {
        try world.publishAll(10)
        for format in ["png", "svg"] { #expect(try await routes.board("kitchen.\(format)").status == 200) }
        #expect(storedTag != nil)
        let note = world.folder.url.appending(path: "boards/note.txt")
        try Data().write(to: note)
        _ = world.routes()
        #expect(storedTag != nil)
        let hall = BoardWorld.text().replacing("  kitchen:", with: "  hall:")
        let other = try BoardWorld(hall, folder: world.folder)
        _ = other.routes()
        #expect(other.gateway.boardPictures.picture(of: kitchen, .png) == nil)
        #expect(other.gateway.boardPictures.picture(of: kitchen, .svg) == nil)
        #expect(FileManager.default.fileExists(atPath: note.path))
    }
}
