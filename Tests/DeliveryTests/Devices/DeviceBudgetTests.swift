// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of the budgets of devices, and of the lanes that they have.
@Suite struct DeviceBudgetTests {
    private static let spacing = Duration.seconds(20 * 60)

    @Test func aWidgetPushIsOneOfAllWidgetsAndShowsWhatWaitsForTheOthers() throws {
        var world = try started()
        try world.register("phone", .widgets)
        for number in 0..<20 { try world.publish("w\(number)", "a") }
        #expect(world.arrivals.count == 1)
        try world.pass(Self.spacing)
        #expect(world.arrivals.count == 2, "the second push reloads all")
        try world.pass(.seconds(86_400))
        #expect(world.arrivals.count == 2)
        let answer = try world.report(DeliveriesRequest(widget: try widget("w7")))
        let report = try #require(answer.destinations.first?.subjects.first)
        #expect(report.state == .delivered && report.attempts == 1)
        try world.publish("w7", "b")
        #expect(world.arrivals.last?.key.subject == .widget(try widget("w7")))
    }

    @Test func whatComesWhileAWidgetPushIsInFlightIsSentAfterwards() throws {
        var world = try started()
        try world.register("phone", .widgets)
        try world.publish("first", "a")
        for text in ["a", "b"] { try world.publish("early", text) }
        world.outcome = { _, _ in nil }
        try world.pass(Self.spacing)
        let push = try #require(world.arrivals.last)
        #expect(push.key.subject == .widget(try widget("early")))
        try world.publish("late", "c")
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(push.result(.delivered)))
        try world.pass(Self.spacing)
        #expect(try world.shown("late") == ["c"])
        #expect(world.arrivals.count == 3)
    }

    @Test func aWidgetPushThatFailedShowsNothing() throws {
        var world = try started()
        try world.register("phone", .widgets)
        try world.publish("first", "a")
        for name in ["one", "two"] { try world.publish(name, "a") }
        world.outcome = { _, _ in .retry(after: nil, reason: "500") }
        try world.pass(Self.spacing)
        #expect(world.arrivals.count >= 2)
        let answer = try world.report(DeliveriesRequest(widget: try widget("two")))
        #expect(answer.destinations.first?.subjects.first?.state != .delivered)
    }

    @Test func aWidgetPushIsTriedAgainWhenThoseOfOtherWidgetsAllowIt() throws {
        var world = try started { limits in
            limits.firstPause = .seconds(25 * 60)
            limits.longestPause = .seconds(25 * 60)
        }
        try world.register("phone", .widgets)
        let a = DeliverySubject.widget(try widget("a"))
        world.outcome = { attempt, _ in
            attempt.subject == a && attempt.number == 1 ? .retry(after: nil, reason: "500") : .delivered
        }
        for name in ["a", "b"] { try world.publish(name, "1") }
        try world.pass(.seconds(7_200))
        #expect(world.arrivals.map(\.key.subject.description) == ["widget/a", "widget/b", "widget/a"])
        #expect(world.arrivals.map(\.at) == [at(0), at(20 * 60), at(40 * 60)])
    }

    @Test func aRejectedWidgetPushLeavesTheBudgetToOtherWidgetsAtOnce() throws {
        var world = try started()
        try world.register("phone", .widgets)
        world.outcome = { _, _ in nil }
        for name in ["a", "b"] { try world.publish(name, "1") }
        world.outcome = { _, _ in .delivered }
        let push = try #require(world.arrivals.first)
        #expect(world.arrivals.count == 1)
        try world.run(.sent(push.result(.rejected(reason: "400"))))
        #expect(world.arrivals.map(\.key.subject.description) == ["widget/a", "widget/b"])
    }

    @Test func aFailedWidgetPushThatIsNoLongerWantedCostsNothing() throws {
        var world = try started()
        try world.register("phone", .widgets, ["a", "b"])
        world.outcome = { _, _ in .retry(after: nil, reason: "500") }
        try world.publish("a", "1")
        world.outcome = { _, _ in .delivered }
        try world.register("phone", .widgets, ["b"])
        try world.publish("b", "1")
        #expect(world.arrivals.map(\.key.subject.description) == ["widget/a", "widget/b"])
    }

    @Test func aChangeThatAWidgetPushMayHaveShownIsNotTakenBack() throws {
        var world = try started()
        try world.register("phone", .widgets)
        try world.publish("a", "1")
        try world.pass(Self.spacing)
        try world.publish("b", "1")
        for name in ["a", "b"] { try world.publish(name, "2") }
        world.outcome = { _, _ in nil }
        try world.pass(Self.spacing)
        #expect(world.arrivals.count == 3)
        let push = try #require(world.arrivals.last)
        let covered = push.key.subject == .widget(try widget("a")) ? "b" : "a"
        try world.publish(covered, "1")
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(push.result(.delivered)))
        try world.pass(Self.spacing)
        #expect(try world.shown(covered) == ["1", "1"])
    }

    @Test func aPushThatFailsAfterItsWidgetIsNoLongerWantedIsNotTriedAgain() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        try world.register("phone", .background, ["other"])
        world.outcome = { _, _ in .delivered }
        let push = try #require(world.arrivals.first)
        try world.run(.sent(push.result(.retry(after: nil, reason: "500"))))
        try world.pass(.seconds(7_200))
        #expect(world.arrivals.count == 1 && world.state.lanes.isEmpty)
    }

    @Test func aFailureIsNoProblemAfterItsWidgetIsNoLongerWanted() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        try world.publish("news", "a")
        try world.pass(Self.spacing)
        world.outcome = { _, _ in .retry(after: nil, reason: "500") }
        try world.publish("news", "b")
        #expect(world.state.lanes.values.allSatisfy { $0.failingSince != nil })
        try world.register("phone", .background, ["other"])
        #expect(world.state.lanes.values.map(\.failingSince) == [nil])
    }

    @Test func aChangeIsNotTakenBackFromADeviceWhichMayHaveLoadedIt() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        for text in ["a", "b", "a"] { try world.publish("news", text) }
        // The device loads the state when it gets to it, so the first push may have shown "b".
        try world.pass(Self.spacing)
        #expect(try world.shown("news") == ["a", "a"])
    }

    @Test func aReportHasADeviceThatHasGotNothing() throws {
        var world = try started()
        try world.pass(.seconds(2))
        try world.register("phone", .background)
        try world.pass(.seconds(2))
        #expect(world.reports.last?.devices == 1)
    }

    @Test func aBackgroundPushNamesItsWidgetSoEachWidgetHasABudget() throws {
        var world = try started()
        try world.register("phone", .background)
        for number in 0..<20 { try world.publish("w\(number)", "a") }
        #expect(world.arrivals.count == 20)
    }

    @Test func aWidgetPushSpendsTheBudgetAcrossARestartAndOnce() throws {
        var world = try started()
        try world.register("phone", .widgets)
        try world.publish("a", "1")
        world.kill()
        try world.start()
        try world.publish("b", "1")
        #expect(world.arrivals.count == 1)
        let reports = try world.report(DeliveriesRequest()).destinations.first?.subjects ?? []
        #expect(reports.map(\.spent) == [1, nil])
    }

    @Test func aDeviceThatFollowsAWidgetAgainGetsNoNewBudget() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        try world.publish("news", "a")
        try world.register("phone", .background, ["other"])
        #expect(world.state.lanes.count == 1)
        try world.register("phone", .background, ["news"])
        try world.publish("news", "b")
        #expect(try world.shown("news") == ["a"])
        try world.register("phone", .background, ["other"])
        try world.pass(.seconds(86_400))
        #expect(world.state.lanes.isEmpty, "the lane is removed when its last message is a day old")
    }

    @Test func devicesTakeNoPlaceOfConfiguredDestinations() throws {
        var world = try started([try .sample("hook")]) { $0.lanesOfDevices = 1 }
        try world.register("phone", .background)
        for name in ["a", "b", "c"] { try world.publish(name, "1") }
        #expect(world.arrivals.count { $0.device == nil } == 3)
        #expect(world.arrivals.count { $0.device != nil } == 1)
    }

    @Test func lanesOfWidgetsThatAreGoneAreRemoved() throws {
        var world = try started([try .sample("hook") { $0.filter.reasons = [.visibleChange] }])
        for name in ["a", "b"] { try world.publish(name, "1") }
        #expect(world.state.lanes.count == 2)
        try world.publish("a", "", reason: .removed)
        #expect(world.state.lanes.count == 1)
        world.kill()
        world.notifier = NotifierModel()
        try world.publish("c", "1")
        world.notifier.beginEpoch()
        try world.start()
        try world.pass(.seconds(60))
        #expect(world.state.lanes.keys.map(\.subject) == [.widget(try widget("c"))])
    }

    @Test func aLaneIsRemovedAfterItsLastAttemptIfItsWidgetWasRemovedMeanwhile() throws {
        var world = try started([try .sample("hook") { $0.filter.reasons = [.visibleChange] }])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        try world.publish("news", "", reason: .removed)
        let attempt = try #require(world.arrivals.first)
        #expect(world.state.lanes.count == 1)
        try world.run(.sent(attempt.result(.delivered)))
        #expect(world.state.lanes.isEmpty)
    }

    @Test func theSumsOfTheReportFollowMessagesAndTime() throws {
        var world = try started([
            try .sample("hook") { $0.budget = TidingsConfiguration.Destination.Budget(perDay: 5) }
        ])
        for text in ["1", "2"] { try world.publish("a", text) }
        try world.publish("b", "1")
        try world.pass(.seconds(2))
        #expect(world.reports.last.map { [$0.spent, $0.left, $0.waiting, $0.lanes] } == [3, 7, 0, 2])
        world.outcome = { _, _ in .retry(after: nil, reason: "500") }
        try world.publish("b", "2")
        try world.pass(.seconds(2))
        #expect(world.reports.last?.waiting == 1)
        world.outcome = { _, _ in .delivered }
        try world.setClock(by: .seconds(40_000))
        try world.pass(.seconds(3_600))
        #expect(world.reports.last.map { [$0.spent, $0.left, $0.waiting] } == [4, 6, 0])
        try world.pass(.seconds(86_400))
        #expect(world.reports.last.map { [$0.spent, $0.left, $0.waiting] } == [0, 10, 0])
        try world.configure([])
        try world.pass(.seconds(2))
        #expect(world.reports.last.map { [$0.spent, $0.left, $0.lanes] } == [0, 0, 0])
    }

    private func started(
        _ plans: [DestinationPlan] = [],
        _ change: (inout DeliveryLimits) -> Void = { _ in }
    ) throws -> DeliveryWorld {
        var world = DeliveryWorld(plans)
        world.plan.devices.acceptsApple = true
        change(&world.limits)
        try world.start()
        return world
    }

    /// Registers a device for some widgets, or for all if `widgets` is nil.
}
