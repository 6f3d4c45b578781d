// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of budgets: at most so many messages a day, the last state always, and nothing for cycles without a change.
@Suite struct BudgetTests {
    private typealias Budget = TidingsConfiguration.Destination.Budget

    private func plan(perDay: Int = 40, spacing: Duration = .seconds(60), reserve: Int = 0) throws -> DestinationPlan {
        try .sample("phone") { plan in
            plan.budget = Budget(perDay: perDay)
            plan.budget?.spacing = spacing
            plan.budget?.reserve = reserve
            plan.highPriority = TidingsConfiguration.Destination.HighPriority()
            plan.highPriority?.reasons = [.firstContent]
        }
    }

    private func start(_ plan: DestinationPlan) throws -> DeliveryWorld {
        var world = DeliveryWorld([plan])
        try world.publish("news", "before")
        try world.start()
        return world
    }

    /// Expects that no 24 hours have more messages than the budget, and that no two are too close.
    private func expectWithinBudget(_ times: [Instant], _ plan: DestinationPlan) throws {
        let budget = try #require(plan.budget)
        for (index, time) in times.enumerated() {
            let day = times[index...].prefix { $0.milliseconds(since: time) < 86_400_000 }
            #expect(day.count <= budget.perDay)
        }
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(later.milliseconds(since: earlier) >= budget.spacing.wholeMilliseconds)
        }
    }

    @Test func aThousandChangesInAnHourCostAtMostTheBudgetAndTheLastStateArrives() throws {
        let plan = try plan()
        var world = try start(plan)
        for number in 1...1_000 {
            try world.publish("news", "\(number)")
            try world.pass(.milliseconds(3_600))
        }
        #expect(world.arrivals.count == 40)
        try world.pass(.seconds(2 * 86_400))
        #expect(try world.shown("news").last == "1000")
        try expectWithinBudget(world.arrivals.map(\.at), plan)
        let report = try #require(try world.report(DeliveriesRequest()).destinations.first)
        #expect(report.savedByMerging == 1_000 - world.arrivals.count)
    }

    @Test func aCycleWithoutAChangeCostsNothing() throws {
        var world = try start(try plan(perDay: 2, spacing: .zero))
        for _ in 0..<100 { try world.publish("news", "before", result: .noData, reason: .sameBytes) }
        for text in ["a", "b"] { try world.publish("news", text) }
        #expect(try world.shown("news") == ["a", "b"])
        let report = try #require(try world.report(DeliveriesRequest()).destinations.first)
        #expect(report.savedByNoData == 100)
        let subject = try #require(report.subjects.first)
        #expect((subject.spent, subject.left) == (2, 0))
    }

    @Test func aChangeThatIsTakenBackWhileItWaitsCostsNothing() throws {
        var world = try start(try plan(perDay: 2, spacing: .seconds(600)))
        for text in ["a", "b", "a"] { try world.publish("news", text) }
        try world.pass(.seconds(86_400))
        #expect(try world.shown("news") == ["a"])
        let report = try #require(try world.report(DeliveriesRequest()).destinations.first)
        #expect(report.savedByMerging == 2)
        try world.publish("news", "c")
        #expect(try world.shown("news") == ["a", "c"])
    }

    @Test func aChangeThatWasTakenBackIsNotSentAfterAStart() throws {
        var world = try start(try plan(spacing: .seconds(600)))
        for text in ["a", "b", "a"] { try world.publish("news", text) }
        // Until the position is stored.
        try world.pass(.seconds(10))
        world.kill()
        try world.start()
        try world.pass(.seconds(86_400))
        #expect(try world.shown("news") == ["a"])
    }

    @Test func theReserveIsForHighPriority() throws {
        var world = try start(try plan(perDay: 4, spacing: .zero, reserve: 2))
        for text in ["a", "b", "c", "d"] { try world.publish("news", text) }
        #expect(try world.shown("news") == ["a", "b"])
        try world.publish("news", "alarm", reason: .firstContent)
        #expect(try world.shown("news") == ["a", "b", "alarm"])
        #expect(world.arrivals.last?.attempt.isHighPriority == true)
    }

    @Test(arguments: [Duration.seconds(86_400), .seconds(-86_400)])
    func theBudgetHoldsAcrossRestartsAndChangesOfTheClock(_ change: Duration) throws {
        let plan = try plan(perDay: 10)
        var world = try start(plan)
        /// The elapsed time of each arrival: the wall clock is set on the way.
        var shift: Duration = .zero
        var times: [Instant] = []
        for number in 1...300 {
            try world.publish("news", "\(number)")
            try world.pass(.seconds(30))
            times += world.arrivals.map { $0.at.advanced(by: .zero - shift) }
            world.clearArrivals()
            if number % 100 == 50 {
                try world.setClock(by: change)
                shift += change
            }
            if number % 70 == 0 {
                world.kill()
                try world.start()
            }
        }
        #expect(times.count == 10)
        try expectWithinBudget(times, plan)
    }

    @Test func aClockThatWasSetBackWhileTheServiceWasDownGivesNothingAway() throws {
        let plan = try plan(perDay: 3, spacing: .zero)
        var world = try start(plan)
        for text in ["a", "b", "c", "d"] { try world.publish("news", text) }
        world.kill()
        try world.setClock(by: .seconds(-86_400))
        try world.start()
        try world.pass(.seconds(86_399))
        #expect(try world.shown("news") == ["a", "b", "c"])
        try world.pass(.seconds(2))
        #expect(try world.shown("news") == ["a", "b", "c", "d"])
    }

    @Test func afterARestoreHalfOfTheBudgetCountsAsSpentForADay() throws {
        let plan = try plan(perDay: 10, spacing: .seconds(60))
        var world = try start(plan)
        world.kill()
        world.state.restore(at: world.wall)
        try world.start()
        try world.publish("news", "a")
        #expect(world.arrivals.isEmpty, "spacing counts from the restore")
        for number in 0..<200 {
            try world.publish("news", "\(number)")
            try world.pass(.seconds(60))
        }
        #expect(world.arrivals.count == 5)
    }

    @Test(arguments: [true, false])
    func aRestoreBeforeTheClockWasSetBackDelaysNothingForLong(_ isRunning: Bool) throws {
        var world = try start(try plan(perDay: 10, spacing: .seconds(60)))
        world.kill()
        world.state.restore(at: world.wall)
        if isRunning { try world.start() }
        try world.setClock(by: .seconds(-365 * 86_400))
        if !isRunning { try world.start() }
        try world.publish("news", "a")
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a"])
        #expect(world.state.restored.map { $0.at <= world.wall } == true)
    }

    @Test func anAttemptThatMayHaveArrivedCostsAMessageAndTheNextOneWaitsForTheBudget() throws {
        let plan = try plan(perDay: 3, spacing: .seconds(900))
        var world = try start(plan)
        world.outcome = { _, _ in .unknown(reason: "no answer") }
        try world.publish("news", "a")
        try world.pass(.seconds(86_000))
        #expect(world.arrivals.count == 3)
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(2 * 86_400))
        #expect(try world.shown("news") == ["a", "a", "a", "a"])
        #expect(Set(world.arrivals.map(\.attempt.message)).count == 1)
        try expectWithinBudget(world.arrivals.map(\.at), plan)
    }

    @Test func anAttemptThatCertainlyFailedCostsNothingMore() throws {
        var world = try start(try plan(perDay: 2, spacing: .zero))
        world.outcome = { _, _ in .retry(after: nil, reason: "busy") }
        try world.publish("news", "a")
        try world.pass(.seconds(3_600))
        #expect(world.arrivals.count > 2)
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(7_200))
        try world.publish("news", "b")
        #expect(try world.shown("news").suffix(2) == ["a", "b"])
    }

    @Test func aMessageThatWasRejectedCostsNothing() throws {
        var world = try start(try plan(perDay: 1, spacing: .zero))
        world.outcome = { _, _ in .rejected(reason: "400") }
        try world.publish("news", "a")
        world.outcome = { _, _ in .delivered }
        try world.publish("news", "b")
        #expect(try world.shown("news") == ["a", "b"])
    }
}
