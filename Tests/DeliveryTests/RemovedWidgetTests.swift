// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of widgets that are removed and come back, while the budget of a destination counts their messages.
@Suite struct RemovedWidgetTests {
    private func plan(
        perDay: Int = 100,
        spacing: Duration = .zero,
        _ change: (inout DestinationPlan) -> Void = { _ in }
    ) throws -> DestinationPlan {
        try .sample("phone") { plan in
            plan.budget = .init(perDay: perDay)
            plan.budget?.spacing = spacing
            change(&plan)
        }
    }

    /// Ends the core, and starts it in a new epoch of the notifier.
    private func beginEpoch(_ world: inout DeliveryWorld) throws {
        world.kill()
        world.notifier.beginEpoch()
        try world.start()
        try world.pass(.seconds(10))
    }

    private func reasons(_ world: DeliveryWorld) throws -> [Reason] {
        try world.arrivals.map { try $0.update().data.reason }
    }

    @Test func aWidgetThatComesBackGetsNoNewBudget() throws {
        var world = try DeliveryWorld.started([try plan(perDay: 2)])
        try world.publish("news", "1")
        try world.publish("news", "", reason: .removed)
        #expect(world.arrivals.count == 2)
        // A restart keeps the budget.
        world.kill()
        try world.start()
        try world.publish("news", "2", reason: .firstContent)
        try world.pass(.seconds(3600))
        #expect(world.arrivals.count == 2)
        // The next removal only takes back what waits, so it is not sent. A new epoch does not send it either.
        try world.publish("news", "", reason: .removed)
        world.clearArrivals()
        world.kill()
        world.notifier.beginEpoch()
        try world.start()
        try world.pass(.seconds(86_400))
        #expect(world.arrivals.isEmpty)
        #expect(world.state.lanes.isEmpty)
    }

    @Test func aRemovalIsSentIfTheContentBeforeItMayHaveArrived() throws {
        var world = try DeliveryWorld.started([try plan(spacing: .seconds(60))])
        try world.publish("news", "", reason: .removed)
        try world.pass(.seconds(60))
        world.outcome = { _, _ in .unknown(reason: "no answer") }
        try world.publish("news", "a", reason: .firstContent)
        world.outcome = { _, _ in .delivered }
        try beginEpoch(&world)
        try world.publish("news", "", reason: .removed)
        try world.pass(.seconds(3_600))
        #expect(try reasons(world) == [.removed, .firstContent, .removed])
    }

    @Test func aNewEpochSendsNoPlaceholderOfAWidgetThatCameBack() throws {
        var world = try DeliveryWorld.started([try plan()])
        try world.publish("news", "a")
        try world.publish("news", "", reason: .removed)
        try world.publish("news", "waiting", result: .noData, reason: .missing)
        world.clearArrivals()
        try beginEpoch(&world)
        #expect(world.arrivals.isEmpty)
        try world.publish("news", "b", reason: .firstContent)
        #expect(try world.shown("news") == ["b"])
    }

    @Test func aRejectedRemovalIsNotSentAgainInANewEpoch() throws {
        var world = try DeliveryWorld.started([try plan()])
        try world.publish("news", "a")
        world.outcome = { _, _ in .rejected(reason: "400") }
        try world.publish("news", "", reason: .removed)
        world.clearArrivals()
        try beginEpoch(&world)
        #expect(world.arrivals.isEmpty)
    }

    @Test func aLaneWithoutABudgetIsRemovedWithItsWidget() throws {
        var world = try DeliveryWorld.started([try plan()])
        try world.publish("news", "a")
        try world.publish("news", "", reason: .removed)
        #expect(world.state.lanes.count == 1)
        try world.configure([try plan { $0.budget = nil }])
        #expect(world.state.lanes.isEmpty)
    }

    @Test func aRestoreTellsTheRemovalOfAWidgetThatHadComeBack() throws {
        var world = try DeliveryWorld.started([try plan()])
        for number in 1...9 { try world.publish("blog", "\(number)") }
        try world.publish("news", "", reason: .removed)
        try world.pass(.seconds(10))
        let backup = world.state
        try world.publish("news", "b", reason: .firstContent)
        world.kill()
        try world.publish("news", "", reason: .removed)
        world.kill(restoring: backup)
        try world.start()
        try world.pass(.seconds(60))
        #expect(try reasons(world) == [.removed])
    }

    @Test func twoRemovalsThatWaitAreOneMessage() throws {
        var world = try DeliveryWorld.started([try plan(spacing: .seconds(60)) { $0.filter.reasons = [.removed] }])
        for text in ["a", "b", "c"] {
            try world.publish("news", "", reason: .removed)
            try world.publish("news", text, reason: .firstContent)
        }
        try world.publish("news", "", reason: .removed)
        try world.pass(.seconds(3_600))
        #expect(try reasons(world) == [.removed, .removed])
    }

    @Test func anEmptyAnswerEndsTheLaneOfAWidgetThatIsGone() throws {
        var world = try DeliveryWorld.started([try .sample("hook") { $0.mode = .every }])
        world.holdsReplays = true
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        try world.publish("news", "", reason: .removed)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        guard case .replayed(let key, let number, _)? = world.heldReplays.first else {
            Issue.record("the missed updates are not requested")
            return
        }
        try world.run(.replayed(key, number: number, Records(records: [], more: false)))
        #expect(world.state.lanes.isEmpty)
    }

    @Test func aWidgetThatComesBackAheadOfTheStreamIsSentOnce() throws {
        var world = try DeliveryWorld.started([try .sample("hook") { $0.mode = .every }])
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        try world.publish("news", "", reason: .removed)
        let back = try world.notifier.add("news", "back", result: .newData, reason: .firstContent, at: world.wall)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        #expect(try world.shown("news").last == "back")
        try world.run(.follow(.update(back, json: try WireJSON.encode(back))))
        #expect(try world.shown("news").count { $0 == "back" } == 1)
    }

    @Test func aRemovalThatTheLaneHasPassedDoesNotRemoveIt() throws {
        let every = try DestinationPlan.sample("hook") { plan in
            plan.mode = .every
            plan.filter.reasons = [.visibleChange, .firstContent]
        }
        var world = try DeliveryWorld.started([every])
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        let removal = try world.notifier.add("news", "", result: .newData, reason: .removed, at: world.wall)
        let back = try world.notifier.add("news", "back", result: .newData, reason: .firstContent, at: world.wall)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        for update in [removal, back] {
            try world.run(.follow(.update(update, json: try WireJSON.encode(update))))
        }
        #expect(try world.shown("news").count { $0 == "back" } == 1)
    }

    @Test func aWidgetWhoseRemovalWasRequestedLeavesNoLane() throws {
        var world = try DeliveryWorld.started([try .sample("hook") { $0.mode = .every }])
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        let removal = try world.notifier.add("news", "", result: .newData, reason: .removed, at: world.wall)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        try world.run(.follow(.update(removal, json: try WireJSON.encode(removal))))
        #expect(world.state.lanes.isEmpty)
    }

    @Test func aFilterThatRefusesAllMissedUpdatesDoesNotRequestThemAgain() throws {
        let every = try DestinationPlan.sample("hook") { $0.mode = .every }
        var world = try DeliveryWorld.started([every])
        world.holdsReplays = true
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        try world.configure([try .sample("hook") { $0.filter.results = [.failed] }])
        world.outcome = { _, _ in .delivered }
        let first = try #require(world.arrivals.first)
        try world.run(.sent(first.result(.delivered)))
        guard case .replayed(let key, let number, let records?)? = world.heldReplays.first else {
            Issue.record("the missed updates are not requested")
            return
        }
        try world.run(.replayed(key, number: number, Records(records: records.records, more: true, end: records.end)))
        #expect(world.heldReplays.count == 2)
        guard case .replayed(_, _, let rest?)? = world.heldReplays.last else { return }
        #expect(rest.records.isEmpty)
    }
}
