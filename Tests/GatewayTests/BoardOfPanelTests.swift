// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import ServiceRuntime
import Testing
import WebServer
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// Boards as panels request them.
@Suite(.timeLimit(.minutes(2))) struct BoardOfPanelTests {
    @Test func aPictureThatIsTooLargeIsDrawnWithFewerLevels() async throws {
        let text = BoardWorld.text("none").replacing("model: trmnl-og", with: "model: trmnl-x")
        let world = try BoardWorld(text)
        world.service.withLock { $0.bytes = [.gray16: 800_000, .gray4: 760_000, .mono: 700_000] }
        try world.publishAll(10)
        let response = try await world.routes().board("kitchen.png")
        #expect(response.status == 200 && response.body.count == 700_000)
        #expect(world.service.withLock { $0.drawn.map(\.board.panel.palette) } == [.gray16, .gray4, .mono])
    }

    @Test func aRestartedGatewayStillReportsABoardWithFewerLevels() async throws {
        let board = BoardWorld.text("none").replacing("model: trmnl-og", with: "model: trmnl-x")
        let text = "panels: {reader: {board: kitchen}}\n" + board
        let world = try BoardWorld(text)
        world.service.withLock { $0.bytes = [.gray16: 800_000, .gray4: 700_000] }
        try world.publishAll(10)
        #expect(try await world.routes().board("kitchen.png").status == 200)
        let warnings = try #require(world.gateway.panels.report()?.panels.first?.warnings)
        #expect(warnings.count == 1)
        // Waits until the picture is stored.
        #expect(world.gateway.boardPictures.picture(of: try #require(BoardID(rawValue: "kitchen")), .png) != nil)

        let restarted = try BoardWorld(text, folder: world.folder)
        let routes = restarted.routes()
        #expect(restarted.gateway.panels.report()?.panels.first?.warnings == warnings)
        restarted.service.withLock { $0.bytes = [.gray16: 100_000] }
        try restarted.publishAll(20)
        #expect(try await routes.board("kitchen.png").body.count == 100_000)
        #expect(restarted.gateway.panels.report()?.panels.first?.warnings == [])
    }

    @Test func aBoardWithoutALimitIsNotReportedAsReduced() async throws {
        let text = BoardWorld.text("none").replacing("model: trmnl-og", with: "width: 800\n    height: 480")
        let world = try BoardWorld("panels: {reader: {board: kitchen}}\n" + text)
        let board = try #require(BoardID(rawValue: "kitchen"))
        world.gateway.panels.set(reduced: "It is drawn with fewer levels.", of: board)
        #expect(world.gateway.panels.report()?.panels.first?.warnings.count == 1)
        try world.publishAll(10)
        #expect(try await world.routes().board("kitchen.png").status == 200)
        #expect(world.gateway.panels.report()?.panels.first?.warnings.isEmpty == true)
    }

    @Test func aPanelThatNamesItselfIsToldHowLongItSleeps() async throws {
        let panels =
            "panels: {reader: {board: kitchen, interval: 20m}, other: {board: desk}, wall: {board: kitchen, id: x1}}\n"
        let desk = "  desk: {model: trmnl-og, layout: full, cells: [{widget: news}]}\nwidgets:"
        let world = try BoardWorld(panels + BoardWorld.text("none").replacing("widgets:", with: desk))
        let routes = world.routes()
        try world.publishAll(10)
        let first = try await routes.board("kitchen.png", panel: "reader")
        #expect(first.status == 200 && first.header("Tidings-Sleep") == "1200")
        let tag = try #require(first.header("ETag"))
        let second = try await routes.board(
            "kitchen.png",
            headers: [WebHeader("If-None-Match", tag)],
            panel: "reader"
        )
        #expect(second.status == 304 && second.header("Tidings-Sleep") == "1200")
        #expect(try await routes.board("kitchen.png").header("Tidings-Sleep") == nil)
        for name in ["other", "nobody", ""] {
            #expect(try await routes.board("kitchen.png", panel: name).status == 404, "\(name)")
        }
        // Only a picture that is loaded is a wake, and a panel with an id wakes by its own protocol.
        #expect(try await routes.board("kitchen.json", panel: "reader").header("Tidings-Sleep") == nil)
        #expect(try await routes.board("kitchen.png", panel: "wall").status == 404)
        let entry = try #require(world.gateway.panels.report()?.panels.first)
        #expect(entry.state == .named && entry.wakes >= 1 && entry.nextWake != nil)
    }

    @Test func aPictureThatIsNotCurrentIsLookedAtAgainAfterTheInterval() async throws {
        let panels = "panels: {reader: {board: kitchen, interval: 20m}}\n"
        let pulled = BoardWorld.text("none").replacing("source: push", with: "source: \"https://example.org/a\"")
        let world = try BoardWorld(panels + pulled)
        let routes = world.routes()
        try world.publishAll(10)
        for name in BoardWorld.widgets {
            let source = try #require(world.gateway.live.widget(try Samples.widget(name))?.source?.id)
            let rests = PlannedFetch(state: .gone, host: "example.org")
            let plan = SourceSchedule(sources: [source: rests], hosts: [:], roundMilliseconds: 1_000)
            _ = world.gateway.view.take(plan, at: .now)
        }
        #expect(try await routes.board("kitchen.png", panel: "reader").header("Tidings-Sleep") == "21600")
        // The next content cannot be drawn, so the picture is the last good one.
        world.service.withLock { $0.problem = Problem(503, "down", "Down.", "") }
        try world.publishAll(20)
        let response = try await routes.board("kitchen.png", panel: "reader")
        #expect(response.status == 200)
        #expect(response.header("Tidings-Sleep") == "1200")
    }
}
