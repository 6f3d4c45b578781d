// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of new epochs, cancelled requests and destinations that come back.
@Suite struct EpochTests {
    @Test func anAnswerToACancelledRequestForMissedUpdatesIsNotTaken() throws {
        let other = try widget("other")
        let every = try DestinationPlan.sample("hook") { $0.mode = .every }
        var world = DeliveryWorld([every])
        try world.publish("news", "before")
        try world.start()
        world.holdsReplays = true
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        world.outcome = { _, _ in .delivered }
        let first = try #require(world.arrivals.first)
        try world.run(.sent(first.result(.delivered)))
        let held = try #require(world.heldReplays.first)
        try world.configure([
            .sample("hook") { plan in
                plan.mode = .every
                plan.filter.widgets = [other]
            }
        ])
        try world.configure([every])
        world.clearArrivals()
        try world.run(held)
        #expect(world.arrivals.isEmpty)
        // Nor is it taken for the answer to the next request.
        world.outcome = { _, _ in nil }
        for number in 41...80 { try world.publish("news", "\(number)") }
        world.outcome = { _, _ in .delivered }
        let next = try #require(world.arrivals.first)
        try world.run(.sent(next.result(.delivered)))
        #expect(world.heldReplays.count == 2)
        world.clearArrivals()
        try world.run(held)
        #expect(world.arrivals.isEmpty)
        try world.run(try #require(world.heldReplays.last))
        #expect(try world.shown("news").last == "80")
    }

    @Test func anUpdateThatComesDuringARequestIsNotLostIfTheAnswerIsEmpty() throws {
        var world = try DeliveryWorld.started([try .sample("hook") { $0.mode = .every }])
        world.holdsReplays = true
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        // The notifier has answered before it was told of the widget again.
        guard case .replayed(let key, let number, _)? = world.heldReplays.first else {
            Issue.record("the missed updates are not requested")
            return
        }
        try world.publish("news", "41")
        try world.run(.replayed(key, number: number, Records(records: [], more: false)))
        #expect(world.heldReplays.count == 2)
        try world.run(try #require(world.heldReplays.last))
        #expect(try world.shown("news").last == "41")
        // The answer has all, so nothing else is requested.
        #expect(world.heldReplays.count == 2)
    }

    @Test func aBrokerKeepsTheStateOfANewEpochWithLowerNumbers() throws {
        let home = try DestinationPlan.sample("home") { $0.sendsState = true }
        var world = DeliveryWorld([home])
        try world.start()
        for number in 1...5 { try world.publish("news", "\(number)") }
        world.kill()
        world.notifier = NotifierModel()
        try world.publish("news", "new")
        world.notifier.beginEpoch()
        world.clearArrivals()
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["new"])
        world.clearArrivals()
        try world.run(.kept(home.name, [.widget(try widget("news")): KeptState(sequence: 1)]))
        #expect(world.arrivals.isEmpty)
    }

    @Test func aLostStateThatIsNewerThanTheNotifiersIsAskedForOnceForEachHeads() throws {
        let home = try DestinationPlan.sample("home") { $0.sendsState = true }
        var world = DeliveryWorld([home])
        try world.start()
        for number in 1...5 { try world.publish("news", "\(number)") }
        // The notifier has a store of before, and delivery has not noticed.
        world.notifier = NotifierModel()
        world.clearArrivals()
        let lost: [DeliverySubject: KeptState?] = [.widget(try widget("news")): nil]
        _ = try world.notifier.add("news", "old", result: .newData, reason: .visibleChange, at: world.wall)
        try world.run(.kept(home.name, lost))
        #expect(world.arrivals.isEmpty)
        world.notifier.beginEpoch()
        try world.run(.follow(.heads(world.notifier.heads)))
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["old"])
    }

    @Test func aNewEpochSendsNoReasonThatTheDestinationDoesNotGet() throws {
        var world = DeliveryWorld([try .sample("first") { $0.filter.reasons = [.firstContent] }])
        try world.start()
        try world.publish("news", "a", reason: .firstContent)
        try world.publish("news", "b")
        world.kill()
        world.notifier.beginEpoch()
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a"])
    }

    @Test func aNewEpochSendsNoChangeOfOtherDisplaysToADestinationThatGotNothingYet() throws {
        let other = try display("other")
        var world = DeliveryWorld([try .sample("hook") { $0.filter.displays = [other] }])
        try world.publish("news", "before")
        try world.start()
        world.kill()
        try world.publish("news", "a")
        world.notifier.beginEpoch()
        try world.start()
        try world.pass(.seconds(60))
        #expect(world.arrivals.isEmpty)
    }

    @Test func aDestinationThatGetsTheLatestInsteadOfEachUpdateGetsTheLastState() throws {
        var world = DeliveryWorld([try .sample("hook") { $0.mode = .every }])
        try world.start()
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        try world.configure([.sample("hook")])
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        try world.pass(.seconds(60))
        #expect(try world.shown("news").last == "40")
    }

    @Test func aNewEpochPushesNothingToADeviceThatHasGotAllItsChanges() throws {
        var world = DeliveryWorld([])
        world.plan.devices.acceptsApple = true
        try world.publish("news", "before")
        try world.start()
        try world.register("phone", .background, ["news"], displays: ["phone"])
        try world.publish("news", "a")
        world.notifier.changing = ["wall"]
        try world.publish("news", "b")
        world.clearArrivals()
        world.notifier.beginEpoch()
        try world.run(.follow(.heads(world.notifier.heads)))
        try world.pass(.seconds(3_600))
        #expect(world.arrivals.isEmpty)
    }

    @Test func aRestoreTellsARemovalOfAWidgetThatTheBackupDoesNotKnow() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.publish("blog", "before")
        try world.start()
        let backup = world.state
        try world.publish("news", "a")
        world.kill()
        try world.publish("news", "", reason: .removed)
        world.kill(restoring: backup)
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.arrivals.map { try $0.update().data.reason } == [.removed])
    }

    @Test func aRestoreAndACrashSendNoUpdateOfBefore() throws {
        var world = DeliveryWorld([
            try .sample("each") { plan in
                plan.mode = .every
                plan.filter.results = Set(UpdateResult.allCases)
                plan.budget = .init(perDay: 100)
                plan.budget?.spacing = .seconds(60)
            }
        ])
        try world.start()
        try world.publish("news", "a")
        let backup = world.state
        for _ in 1...2 { try world.publish("news", "a", result: .failed, reason: .transient) }
        world.kill(restoring: backup)
        try world.start()
        // It waits for the budget, and its lane is stored with the position.
        try world.publish("news", "b")
        try world.pass(.seconds(10))
        world.kill()
        try world.start()
        try world.pass(.seconds(3_600))
        #expect(try world.arrivals.map { try $0.update().range?.sequence } == [4])
    }

    @Test func updatesAfterANewEpochWithLowerNumbersAreNotMissed() throws {
        var world = DeliveryWorld([try .sample("each") { $0.mode = .every }])
        try world.start()
        for number in 1...5 { try world.publish("news", "\(number)") }
        world.kill()
        world.notifier = NotifierModel()
        try world.publish("news", "5")
        world.notifier.beginEpoch()
        try world.start()
        world.outcome = { _, _ in .retry(after: nil, reason: "500") }
        for text in ["6", "7"] { try world.publish("news", text) }
        try world.pass(.seconds(10))
        world.kill()
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(7_200))
        #expect(try world.shown("news").last == "7")
    }

    @Test func aRemovalBeforeANewEpochIsToldOnce() throws {
        let other = try display("other")
        var world = DeliveryWorld([
            try .sample("hook"), try .sample("each") { $0.mode = .every },
            try .sample("new") { $0.filter.displays = [other] },
        ])
        try world.start()
        try world.publish("news", "a")
        world.kill()
        try world.publish("news", "", reason: .removed)
        world.notifier.beginEpoch()
        world.clearArrivals()
        for _ in 1...2 {
            try world.start()
            try world.pass(.seconds(60))
            #expect(world.arrivals.map(\.key.destination.rawValue).sorted() == ["each", "hook", "new"])
            world.kill()
        }
    }

    @Test func aNewEpochSendsTheChangeOfAWidgetThatWasUnknown() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.publish("blog", "before")
        try world.start()
        world.kill()
        try world.publish("news", "a", reason: .firstContent)
        try world.publish("news", "a", result: .noData, reason: .sameRows)
        world.notifier.beginEpoch()
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a"])
    }

    @Test func aRestoreSendsAStateThatCameBackAfterTheBackup() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.start()
        try world.publish("news", "a")
        let backup = world.state
        for text in ["b", "a"] { try world.publish("news", text) }
        world.kill(restoring: backup)
        try world.start()
        #expect(try world.shown("news") == ["a"])
    }

    @Test func aRestoreSendsTheFirstStateThatWasNotAccepted() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.start()
        world.outcome = { _, _ in .retry(after: nil, reason: "500") }
        try world.publish("news", "a")
        try world.publish("news", "a", result: .noData, reason: .sameRows)
        world.kill()
        world.state.restore(at: world.wall)
        world.outcome = { _, _ in .delivered }
        world.clearArrivals()
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a"])
    }

    @Test func aStateAfterARestoreIsNotTakenBackByOneThatTheStoreHas() throws {
        var world = DeliveryWorld([
            try .sample("hook") { plan in
                plan.budget = .init(perDay: 10)
                plan.budget?.spacing = .seconds(60)
            }
        ])
        try world.start()
        try world.publish("news", "a")
        let backup = world.state
        try world.pass(.seconds(60))
        try world.publish("news", "b")
        #expect(try world.shown("news") == ["a", "b"])
        world.kill(restoring: backup)
        try world.start()
        try world.publish("news", "a")
        try world.pass(.seconds(600))
        #expect(try world.shown("news") == ["a"])
    }

    @Test func whatARestoredStoreHasIsNotSentBeforeTheStatesAreKnown() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.start()
        world.outcome = { _, _ in nil }
        for text in ["a", "b"] { try world.publish("news", text) }
        let backup = world.state
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        try world.publish("news", "c")
        world.kill(restoring: backup)
        world.isNotifierUp = false
        try world.start()
        try world.pass(.seconds(3_600))
        #expect(world.arrivals.isEmpty)
        world.kill()
        world.isNotifierUp = true
        try world.start()
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["c"])
    }

    @Test func anAcceptedTestEndsTheRestOfADestinationThatWasGone() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.start()
        world.outcome = { _, _ in .gone(reason: "410") }
        try world.publish("news", "a")
        world.outcome = { _, _ in .delivered }
        try world.publish("news", "b")
        #expect(try world.shown("news") == ["a"])
        try world.run(.tested(try destination("hook")))
        #expect(try world.shown("news") == ["a", "b"])
        #expect(world.state.destinations.values.map(\.gone) == [nil])
    }

    @Test func cyclesWithoutAChangeAreCountedAcrossAKill() throws {
        var world = DeliveryWorld([try .sample("hook")])
        try world.publish("news", "a")
        try world.start()
        for _ in 0..<3 { try world.publish("news", "a", result: .noData, reason: .sameBytes) }
        world.kill()
        try world.start()
        #expect(try world.report(DeliveriesRequest()).destinations.first?.savedByNoData == 3)
    }

    @Test func aClockThatIsSetBeforeTheStartExpiresNoDevice() throws {
        var state = DeliveryState()
        let id = try #require(DeviceID(rawValue: "phone"))
        let registration = DeviceRegistration(address: .apns(PushSamples.apns()))
        state.devices[id] = Device(id: id, owner: "owner", registration: registration, registered: at(0))
        var core = DeliveryCore(state, setup: DeliverySetup(plan: DeliveryPlan(), seed: 7), load: 1)
        let year = Duration.seconds(365 * 86_400)
        let now = ClockReading(wall: at(0).advanced(by: year), monotonic: .now)
        let writes = core.clockChanged(by: year, now: now).writes
        #expect(writes.count == 1)
        _ = core.start(now: now)
        _ = core.endBatch(now: now)
        #expect(core.devices.devices[id]?.registered == at(0).advanced(by: year))
    }

    @Test func aPictureOfAnotherCycleIsTakenOnlyIfItLooksTheSame() throws {
        let (news, phone, picture) = (try widget("news"), try display("phone"), Data([1]))
        let request = PictureRequest(
            widget: news,
            display: phone,
            sequence: SequenceNumber(7),
            digest: try digest(of: "a").description
        )
        func answer(_ sequence: UInt64, _ shown: String) throws -> RenderAnswer {
            RenderAnswer(
                widget: news,
                display: phone,
                sequence: SequenceNumber(sequence),
                digest: try digest(of: shown)
            )
        }
        #expect(BusPictures.picture(try answer(7, "a"), [picture], of: request) == picture)
        #expect(BusPictures.picture(try answer(8, "a"), [picture], of: request) == picture)
        #expect(BusPictures.picture(try answer(8, "b"), [picture], of: request) == nil)
    }
}
