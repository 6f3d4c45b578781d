// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of what is sent, to whom and when.
@Suite struct DeliveryCoreTests {
    // MARK: Choice

    @Test func aChangeArrivesOnceAndACycleWithoutChangeDoesNot() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        try world.publish("news", "a")
        try world.publish("news", "a", result: .noData, reason: .sameRows)
        try world.publish("news", "a", result: .failed, reason: .transient)
        try world.pass(.seconds(3_600))
        #expect(try world.shown("news") == ["a"])
        #expect(world.arrivals.first?.attempt.number == 1)
        let report = try #require(try world.report(DeliveriesRequest()).destinations.first)
        #expect((report.delivered, report.savedByNoData) == (1, 1))
    }

    @Test func aNewDestinationBeginsAtTheEndOfTheStreamOrWithTheState() throws {
        var world = try DeliveryWorld.started([.sample("hook"), .sample("state") { $0.sendsState = true }])
        #expect(try world.shown("news", at: "hook").isEmpty)
        #expect(try world.shown("news", at: "state") == ["before"])
        try world.configure([
            .sample("hook"), .sample("late"), .sample("late-state") { $0.sendsState = true },
        ])
        #expect(try world.shown("news", at: "late").isEmpty)
        #expect(try world.shown("news", at: "late-state") == ["before"])
        try world.publish("news", "a")
        for name in ["hook", "late"] { #expect(try world.shown("news", at: name) == ["a"]) }
        #expect(try world.shown("news", at: "state") == ["before"], "it was removed")
    }

    @Test func filtersChooseByWidgetResultReasonAndDisplay() throws {
        let (news, wall) = (try widget("news"), try display("wall"))
        let other = try display("other")
        var world = try DeliveryWorld.started([
            .sample("widgets") { $0.filter.widgets = [news] },
            .sample("results") { $0.filter.results = [.failed] },
            .sample("reasons") { $0.filter.reasons = [.firstContent] },
            .sample("wall") { $0.filter.displays = [wall] }, .sample("none") { $0.filter.displays = [other] },
        ])
        try world.publish("news", "a")
        try world.publish("blog", "b", reason: .firstContent)
        try world.publish("blog", "b", result: .failed, reason: .permanent)
        let arrived = Dictionary(grouping: world.arrivals, by: \.key.destination.rawValue).mapValues(\.count)
        #expect(arrived == ["widgets": 1, "results": 1, "reasons": 1, "wall": 2])
    }

    // MARK: Modes

    @Test func theLatestWaitsWithTheUnionOfTheChangesWhileAnAttemptIsInFlight() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        for text in ["b", "c", "d"] { try world.publish("news", text) }
        try world.publish("news", "d", result: .failed, reason: .transient)
        #expect(try world.shown("news") == ["a"])
        let first = try #require(world.arrivals.first)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(first.result(.delivered)))
        #expect(try world.shown("news") == ["a", "d"])
        let last = try #require(world.arrivals.last).update()
        #expect(last.range == SequenceRange(first: 3, sequence: 5), "it covers what it replaces")
        let report = try #require(try world.report(DeliveriesRequest()).destinations.first)
        #expect(report.savedByMerging == 2)
    }

    @Test func aFailedMessageIsReplacedByTheNewestAndAnUnknownOneIsRepeated() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in .retry(after: nil, reason: "busy") }
        try world.publish("news", "a")
        try world.publish("news", "b")
        world.outcome = { _, _ in .unknown(reason: "no answer") }
        try world.pass(.seconds(20))
        #expect(try world.shown("news").prefix(2) == ["a", "b"])
        try world.publish("news", "c")
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(7_200))
        let texts = try world.shown("news")
        #expect(texts.suffix(2) == ["b", "c"])
        for (_, messages) in Dictionary(grouping: world.arrivals, by: \.attempt.message) {
            #expect(Set(messages.map(\.attempt.body)).count == 1, "each id has one body")
        }
    }

    @Test func everyUpdateArrivesInOrderAndWhatIsNoLongerKeptIsOneRange() throws {
        var world = try DeliveryWorld.started([.sample("hook") { $0.mode = .every }])
        world.outcome = { _, _ in nil }
        for number in 2...101 { try world.publish("news", "\(number)") }
        let first = try #require(world.arrivals.first)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(first.result(.delivered)))
        let ranges = try world.arrivals.map { try #require(try $0.update().range) }
        // 32 in memory, then the last 64 of the notifier, the first of which covers the rest.
        #expect(ranges.first == SequenceRange(2) && ranges.last == SequenceRange(101))
        for (earlier, later) in zip(ranges, ranges.dropFirst()) { #expect(later.first == earlier.sequence.next) }
        #expect(ranges.count { !$0.isSingle } == 1)
    }

    @Test func everyUpdateSurvivesARestartWhileTheDestinationIsDown() throws {
        var world = try DeliveryWorld.started([.sample("hook") { $0.mode = .every }])
        world.outcome = { _, _ in .retry(after: nil, reason: "down") }
        for text in ["a", "b"] { try world.publish("news", text) }
        world.kill()
        for text in ["c", "d"] { try world.publish("news", text) }
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news").suffix(4) == ["a", "b", "c", "d"])
    }

    @Test func theLastStateArrivesAfterTheModeHasChangedWhileDeliveryWasDown() throws {
        var world = try DeliveryWorld.started([.sample("hook") { $0.mode = .every }])
        world.outcome = { _, _ in .retry(after: nil, reason: "down") }
        for number in 1...40 { try world.publish("news", "\(number)") }
        // Until the position is stored.
        try world.pass(.seconds(10))
        world.kill()
        world.plan = DeliveryPlan(destinations: [try destination("hook"): try .sample("hook")])
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(3_600))
        #expect(try world.shown("news").last == "40")
    }

    @Test func aRestartDuringAnAttemptSendsTheSameBytesUnderTheSameId() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        world.kill()
        try world.publish("news", "b")
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a", "a", "b"])
        #expect(world.arrivals[0].attempt.message == world.arrivals[1].attempt.message)
        #expect(world.arrivals[0].attempt.body == world.arrivals[1].attempt.body)
    }

    // MARK: Failures

    @Test func aDestinationThatAsksForAPauseGetsItAcrossARestart() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in .retry(after: .seconds(600), reason: "429") }
        try world.publish("news", "a")
        world.outcome = { _, _ in .delivered }
        try world.publish("blog", "b")
        world.kill()
        try world.start()
        try world.pass(.seconds(599))
        #expect(world.arrivals.count == 1)
        try world.pass(.seconds(2))
        #expect(Set(world.arrivals.dropFirst().map(\.key.subject.description)) == ["widget/news", "widget/blog"])
    }

    @Test func aRejectedMessageIsDroppedAndAGoneDestinationRestsUntilItChanges() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in .rejected(reason: "400") }
        try world.publish("news", "a")
        world.outcome = { _, _ in .gone(reason: "410") }
        try world.publish("news", "b")
        world.outcome = { _, _ in .delivered }
        try world.publish("news", "c")
        try world.pass(.seconds(86_400))
        world.kill()
        try world.start()
        #expect(try world.shown("news") == ["a", "b"])
        #expect(try world.report(DeliveriesRequest()).destinations.first?.problem?.contains("410") == true)
        try world.configure([.sample("hook") { $0.fingerprint = "2" }])
        #expect(try world.shown("news") == ["a", "b", "c"])
    }

    @Test func aGoneDestinationWithMoreUpdatesThanAreKeptGetsThemAfterATest() throws {
        var world = try DeliveryWorld.started([.sample("hook") { $0.mode = .every }])
        world.outcome = { _, _ in .retry(after: nil, reason: "down") }
        for number in 1...40 { try world.publish("news", "\(number)") }
        // Until the position is stored.
        try world.pass(.seconds(10))
        world.kill()
        world.outcome = { _, _ in .gone(reason: "410") }
        try world.start()
        try world.pass(.seconds(3_600))
        #expect(try world.report(DeliveriesRequest()).destinations.first?.problem?.contains("410") == true)
        world.outcome = { _, _ in .delivered }
        try world.run(.tested(try #require(DestinationName(rawValue: "hook"))))
        try world.pass(.seconds(3_600))
        #expect(try world.shown("news").last == "40")
    }

    @Test func aServerThatFailsIsTriedByOneAttemptAndDelaysNoOther() throws {
        let widgets = (0..<50).map { "w\($0)" }
        var world = try DeliveryWorld.started([.sample("dead"), .sample("good")])
        let down = DeliveryOutcome.retry(after: nil, reason: "down", isServerFailure: true)
        world.outcome = { attempt, _ in attempt.destination.rawValue == "dead" ? down : .delivered }
        for name in widgets { try world.publish(name, "a") }
        try world.pass(.seconds(29))
        let dead = world.arrivals.count { $0.key.destination.rawValue == "dead" }
        #expect(world.arrivals.count - dead == 50)
        #expect(dead <= 5)
        try world.pass(.seconds(600))
        let probes = world.arrivals.count { $0.key.destination.rawValue == "dead" } - dead
        #expect((1...20).contains(probes), "one attempt for each pause: \(probes)")
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(3 * 3_600))
        for name in widgets { #expect(try world.shown(name, at: "dead").last == "a") }
    }

    @Test func anAnswerThatIsNoFailureOfTheServerStopsNoOtherDestinationThere() throws {
        let shared = "https://shared.example:443"
        var world = try DeliveryWorld.started([
            .sample("wrong") { $0.server = shared }, .sample("good") { $0.server = shared },
        ])
        world.outcome = { attempt, _ in
            attempt.destination.rawValue == "wrong" ? .retry(after: nil, reason: "404") : .delivered
        }
        for number in 0..<20 { try world.publish("w\(number)", "a") }
        #expect(world.arrivals.count == 40)
        try world.publish("news", "a")
        #expect(try world.shown("news", at: "good") == ["a"])
    }

    @Test func noMoreAttemptsAreInFlightThanTheLimits() throws {
        var world = try DeliveryWorld.started([.sample("a"), .sample("b")])
        world.limits.attempts = 12
        world.limits.attemptsPerServer = 8
        world.kill()
        try world.start()
        world.outcome = { _, _ in nil }
        for number in 0..<40 { try world.publish("w\(number)", "x") }
        // Each of two has as many as are left.
        #expect(Dictionary(grouping: world.arrivals, by: \.key.destination).values.map(\.count) == [4, 4])
        world.outcome = { _, _ in .delivered }
        for one in world.arrivals {
            try world.run(.sent(one.result(.delivered)))
        }
        #expect(world.arrivals.count == 80)
    }

    @Test func serversTakeTurns() throws {
        let names = ["a", "b", "c"].flatMap { server in (1...4).map { "\(server)\($0)" } }
        let plans = try names.map { name in
            try DestinationPlan.sample(name) { $0.server = "https://\(name.prefix(1)).example:443" }
        }
        var world = try DeliveryWorld.started(plans)
        world.limits.attempts = 7
        world.kill()
        try world.start()
        world.outcome = { _, _ in nil }
        try world.publish("news", "x")
        let servers = world.arrivals.compactMap(\.key.destination.rawValue.first)
        #expect(Dictionary(grouping: servers) { $0 }.mapValues(\.count) == ["a": 2, "b": 2, "c": 2])
    }

    @Test func slowServersLeaveAttemptsToTheOthers() throws {
        var world = try DeliveryWorld.started([
            .sample("slow-a"), .sample("slow-b"), .sample("slow-c"), .sample("good"),
        ])
        world.limits.attempts = 12
        world.limits.attemptsPerServer = 8
        world.kill()
        try world.start()
        world.outcome = { attempt, _ in attempt.destination.rawValue == "good" ? .delivered : nil }
        for number in 0..<40 { try world.publish("w\(number)", "x") }
        #expect(world.arrivals.count { $0.key.destination.rawValue == "good" } == 40)
        #expect(world.arrivals.count == 40 + 3 * 3)
    }

    @Test func oneProgramOfADestinationRunsAtATime() throws {
        var world = try DeliveryWorld.started([
            .sample("lamp") { $0.kind = "command" }, .sample("mail") { $0.kind = "apprise" },
        ])
        world.outcome = { _, _ in nil }
        for number in 0..<5 { try world.publish("w\(number)", "x") }
        #expect(world.arrivals.map(\.key.destination.rawValue) == ["lamp", "mail"])
        world.outcome = { _, _ in .delivered }
        for one in world.arrivals { try world.run(.sent(one.result(.delivered))) }
        #expect(world.arrivals.count == 10)
    }

    // MARK: Epochs and restores

    @Test func inANewEpochOnlyWhatLooksDifferentIsSent() throws {
        var world = try DeliveryWorld.started([.sample("hook"), .sample("each") { $0.mode = .every }])
        try world.publish("news", "a")
        try world.publish("blog", "b")
        world.kill()
        for text in ["c", "d"] { try world.publish("news", text) }
        world.notifier.beginEpoch()
        world.clearArrivals()
        try world.start()
        try world.pass(.seconds(5))
        for name in ["hook", "each"] {
            #expect(try world.shown("news", at: name) == ["d"])
            #expect(try world.shown("blog", at: name).isEmpty)
        }
        let each = try #require(world.arrivals.first { $0.key.destination.rawValue == "each" }).update()
        #expect(each.range == SequenceRange(first: 3, sequence: 4))
        try world.publish("blog", "e")
        #expect(try world.shown("blog", at: "hook") == ["e"])
    }

    @Test func aRestoredStoreSendsAtMostOneMessageForEachWidget() throws {
        var world = try DeliveryWorld.started([.sample("hook"), .sample("each") { $0.mode = .every }])
        try world.publish("news", "a")
        let backup = world.state
        for text in ["b", "c", "d"] { try world.publish("news", text) }
        world.kill(restoring: backup)
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news", at: "hook") == ["d"])
        #expect(try world.shown("news", at: "each") == ["d"])
        try world.publish("news", "e")
        #expect(try world.shown("news", at: "each") == ["d", "e"])
    }

    @Test func aProcessThatDiesBeforeItKnowsTheStatesDoesNotForgetARestore() throws {
        var world = try DeliveryWorld.started([.sample("hook"), .sample("each") { $0.mode = .every }])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        let backup = world.state
        for text in ["b", "c", "d"] { try world.publish("news", text) }
        world.kill(restoring: backup)
        world.outcome = { _, _ in .delivered }
        world.isNotifierUp = false
        try world.start()
        world.kill()
        #expect(world.state.wasRestored)
        world.isNotifierUp = true
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news", at: "hook") == ["d"])
        #expect(try world.shown("news", at: "each") == ["d"])
        #expect(!world.state.wasRestored)
    }

    @Test func aRestoreIsOneMessageAlsoIfTheProcessDiesBeforeItIsSent() throws {
        var world = try DeliveryWorld.started([.sample("each") { $0.mode = .every }])
        try world.publish("news", "a")
        world.outcome = { _, _ in .retry(after: .seconds(600), reason: "429") }
        try world.publish("news", "b")
        let backup = world.state
        for text in ["c", "d"] { try world.publish("news", text) }
        world.kill(restoring: backup)
        world.outcome = { _, _ in .delivered }
        try world.start()
        world.kill()
        try world.start()
        try world.publish("news", "e")
        try world.pass(.seconds(600))
        #expect(try world.shown("news") == ["d", "e"])
    }

    // MARK: Explanations

    @Test func anExplanationSaysWhatBecameOfAnUpdateOrWhyNothing() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        func state(_ sequence: UInt64, _ result: UpdateResult = .newData) throws -> DeliveryReport {
            let news = try widget("news")
            let phone = try display("phone")
            let cycle = DeliveriesRequest.Cycle(
                sequence: SequenceNumber(sequence),
                result: result,
                reason: .visibleChange,
                changed: result == .newData ? [phone] : [],
                displays: [phone]
            )
            let answer = try world.report(DeliveriesRequest(widget: news, cycle: cycle))
            return try #require(answer.destinations.first?.subjects.first)
        }
        #expect(try state(1).state == .none)
        try world.publish("news", "a")
        #expect(try state(2).state == .delivered)
        #expect(try state(3, .noData).reason == "Not sent: the destination gets only the results newData.")
        world.outcome = { _, _ in .retry(after: nil, reason: "The server answered 500.") }
        try world.publish("news", "b")
        #expect(try state(3).state == .retrying)
        #expect(try state(3).reason == "Attempt 1 failed: The server answered 500.")
        try world.publish("news", "c")
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(60))
        #expect(try state(3).reason.hasSuffix("as a part of cycle 4."))
    }
}
