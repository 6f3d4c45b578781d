// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of messages about boards.
@Suite struct DeliveryBoardTests {
    /// Returns a world with a board of two widgets, of which some have a content, and a destination of the board alone.
    private func world(
        _ outcome: DeliveryOutcome = .delivered,
        cells: Set<String> = ["news", "blog"],
        _ change: (inout DestinationPlan) -> Void = { _ in }
    ) throws -> DeliveryWorld {
        let kitchen = try #require(BoardID(rawValue: "kitchen"))
        var world = DeliveryWorld([
            try .sample("panel") { plan in
                plan.filter.boards = [kitchen]
                plan.filter.widgets = []
                change(&plan)
            }
        ])
        for (cell, name) in ["news", "blog"].enumerated() {
            let place = BoardPlace(id: kitchen, revision: "0123456789abcdef", cell: cell, of: 2)
            world.notifier.places[try widget(name)] = place
            if cells.contains(name) { try world.publish(name, "before") }
        }
        world.outcome = { _, _ in outcome }
        try world.start()
        return world
    }

    /// Ends the process, and starts one with an older copy of the store.
    private func restore(_ backup: DeliveryState, in world: inout DeliveryWorld) throws {
        world.kill(restoring: backup)
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(60))
    }

    /// Restarts the process; while it is down, a cell shows something else.
    private func restart(_ world: inout DeliveryWorld) throws {
        world.kill()
        try world.publish("blog", "b")
        try world.start()
        try world.pass(.seconds(5))
    }

    private func changes(_ world: DeliveryWorld) throws -> [BoardChange] {
        try world.arrivals.map { try WireJSON.decode(Event<BoardChange>.self, from: $0.attempt.body).data }
    }

    @Test func aChangedCellIsOneMessageAboutTheBoard() throws {
        var world = try world()
        #expect(world.arrivals.isEmpty)
        try world.publish("news", "a")
        try world.publish("other", "b")
        let change = try #require(try changes(world).last)
        #expect(world.arrivals.count == 1 && change.board.rawValue == "kitchen")
        #expect(change.cells.map(\.digest) == [try digest(of: "a"), try digest(of: "before")])
    }

    @Test func severalChangesAreOneMessageAndOneThatIsTakenBackIsNone() throws {
        var world = try world()
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        for name in ["news", "blog"] { try world.publish(name, "b") }
        world.outcome = { _, _ in .delivered }
        let first = try #require(world.arrivals.first)
        try world.run(.sent(first.result(.delivered)))
        #expect(try changes(world).last?.cells.map(\.digest) == [try digest(of: "b"), try digest(of: "b")])
        #expect(world.arrivals.count == 2)

        world.outcome = { _, _ in nil }
        try world.publish("news", "c")
        try world.publish("news", "d")
        try world.publish("news", "c")
        let third = try #require(world.arrivals.last)
        try world.run(.sent(third.result(.delivered)))
        #expect(world.arrivals.count == 3)
    }

    @Test func aBoardThatChangedWhileTheServiceWasDownIsToldOnce() throws {
        var world = try world()
        try world.publish("news", "a")
        world.kill()
        try world.publish("blog", "b")
        world.clearArrivals()
        try world.start()
        try world.pass(.seconds(5))
        #expect(try changes(world).map { $0.cells.map(\.digest) } == [[try digest(of: "a"), try digest(of: "b")]])
        world.kill()
        try world.start()
        try world.pass(.seconds(5))
        #expect(world.arrivals.count == 1)
    }

    @Test func aBoardThatWasFirstCompleteWhileTheServiceWasDownIsSent() throws {
        var world = try world(cells: ["news"])
        try restart(&world)
        #expect(try changes(world).map { $0.cells.map(\.digest) } == [[try digest(of: "before"), try digest(of: "b")]])
    }

    @Test func aBoardWithoutAnyCellIsSentAsSoonAsItIsComplete() throws {
        var world = try world(cells: [])
        try world.publish("news", "a")
        try restart(&world)
        #expect(try changes(world).map { $0.cells.map(\.digest) } == [[try digest(of: "a"), try digest(of: "b")]])
    }

    @Test func aBoardThatAReloadAddsIsSentIfItChangedWhileTheServiceWasDown() throws {
        let kitchen = try #require(BoardID(rawValue: "kitchen"))
        var world = try world { $0.filter.boards = [] }
        var plan = try #require(world.plan.destinations[try destination("panel")])
        plan.filter.boards = [kitchen]
        try world.configure([plan])
        try world.pass(.seconds(5))
        #expect(world.arrivals.isEmpty)
        try restart(&world)
        #expect(try changes(world).map { $0.cells.map(\.digest) } == [[try digest(of: "before"), try digest(of: "b")]])
    }

    @Test func aFirstStateThatIsRejectedIsNotSentAgainAtTheNextStart() throws {
        var world = try world(.rejected(reason: "400")) { $0.sendsState = true }
        #expect(world.arrivals.count == 1)
        world.kill()
        try world.start()
        try world.pass(.seconds(60))
        #expect(world.arrivals.count == 1)
    }

    @Test func aFirstStateThatWasNotAcceptedBeforeARestartIsReplacedByTheLastOne() throws {
        var world = try world(.retry(after: nil, reason: "500")) { $0.sendsState = true }
        world.kill()
        try world.publish("blog", "b")
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(60))
        #expect(try changes(world).last?.cells.map(\.digest) == [try digest(of: "before"), try digest(of: "b")])
    }

    @Test func aRestoreSendsABoardThatChangedAndCameBackAfterTheBackup() throws {
        var world = try world()
        try world.publish("news", "a")
        let backup = world.state
        for text in ["b", "a"] { try world.publish("blog", text) }
        try world.publish("blog", "before")
        try restore(backup, in: &world)
        #expect(try changes(world).map { $0.cells.map(\.digest) } == [[try digest(of: "a"), try digest(of: "before")]])
    }

    @Test func aRestoreSendsNoBoardThatIsAsInTheBackup() throws {
        var world = try world()
        try world.publish("news", "a")
        // Until the position is in the store.
        try world.pass(.seconds(5))
        let backup = world.state
        try world.publish("blog", "before", result: .noData, reason: .sameRows)
        try restore(backup, in: &world)
        #expect(world.arrivals.isEmpty)
    }

    @Test func aRestoreSendsTheFirstStateOfABoardThatWasNotAccepted() throws {
        var world = try world(.retry(after: nil, reason: "500")) { $0.sendsState = true }
        #expect(world.arrivals.count == 1)
        let backup = world.state
        try restore(backup, in: &world)
        #expect(world.arrivals.count == 1)
    }

    @Test func aNewDestinationGetsTheStateIfItIsConfiguredSo() throws {
        let world = try world { $0.sendsState = true }
        #expect(try changes(world).count == 1)
    }

    @Test func aBoardThatIsAddedToADestinationIsSentIfTheDestinationHasNothingOfIt() throws {
        let kitchen = try #require(BoardID(rawValue: "kitchen"))
        var world = try world { plan in
            plan.filter.boards = []
            plan.sendsState = true
        }
        #expect(world.arrivals.isEmpty)
        var plan = try #require(world.plan.destinations[try destination("panel")])
        plan.filter.boards = [kitchen]
        try world.configure([plan])
        try world.run(.kept(plan.name, [.board(kitchen): nil]))
        #expect(try changes(world).count == 1)
    }
}
