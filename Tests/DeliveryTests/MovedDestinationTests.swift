// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of destinations that have another address, have lost a state, or are new while updates are missing.
@Suite struct MovedDestinationTests {
    private func moved() throws -> DestinationPlan {
        try .sample("hook") { plan in
            plan.server = "https://new.example:443"
            plan.fingerprint = "2"
        }
    }

    /// Returns a destination that gets the state of each widget, and waits 20 minutes between two messages.
    private func spaced() throws -> DestinationPlan {
        try .sample("home") { plan in
            plan.sendsState = true
            plan.budget = .init(perDay: 100)
            plan.budget?.spacing = .seconds(1_200)
        }
    }

    @Test func aDestinationThatMovesFromADeadServerGetsAllThatWaitsAtOnce() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in .retry(after: nil, reason: "down", isServerFailure: true) }
        for number in 0..<10 { try world.publish("w\(number)", "a") }
        try world.pass(.seconds(600))
        world.clearArrivals()
        world.outcome = { _, _ in .delivered }
        try world.configure([try moved()])
        #expect(Set(world.arrivals.map(\.key.subject)).count == 10)
    }

    @Test(arguments: [DeliveryOutcome.gone(reason: "410"), .retry(after: .seconds(3_600), reason: "429")])
    func aLateAnswerOfTheFormerAddressDoesNotStopTheNewOne(_ late: DeliveryOutcome) throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        try world.configure([try moved()])
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(late)))
        try world.publish("blog", "b")
        try world.pass(.seconds(60))
        #expect(Set(world.arrivals.dropFirst().map(\.key.subject.description)) == ["widget/news", "widget/blog"])
    }

    @Test func aDeviceWithANewAddressDoesNotWaitForThePauseOfTheFormerOne() throws {
        var world = DeliveryWorld([])
        world.plan.devices.acceptsApple = true
        try world.start()
        let id = try #require(DeviceID(rawValue: "phone"))
        for token in ["ab", "cd"] {
            let address = PushSamples.apns(String(repeating: token, count: 32), .background)
            let registration = DeviceRegistration(address: .apns(address))
            world.outcome = { _, _ in .delivered }
            try world.run(
                .deviceRequested(1, DeviceRequest(device: id, owner: "owner", registration: registration))
            )
            world.outcome = { _, _ in .retry(after: .seconds(86_400), reason: "429") }
            if token == "ab" { try world.publish("news", "a") }
        }
        #expect(world.arrivals.map(\.outcome).last == .delivered && world.arrivals.count == 2)
    }

    @Test(arguments: [1, 10])
    func aServerThatFailedIsForgottenWithItsLastDestination(_ failures: Int) throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.outcome = { _, _ in .retry(after: nil, reason: "down", isServerFailure: true) }
        for number in 0..<failures { try world.publish("w\(number)", "a") }
        #expect(try #require(world.core).servers.isEmpty == false)
        try world.configure([try moved()])
        #expect(try #require(world.core).servers.keys.sorted() == ["https://new.example:443"])
        try world.configure([])
        #expect(try #require(world.core).servers.isEmpty)
    }

    // MARK: Lost states

    @Test func aMessageAtWhichABrokerClosesTheConnectionKeepsItsPause() throws {
        var world = DeliveryWorld([try .sample("home") { $0.sendsState = true }])
        try world.start()
        world.outcome = { _, _ in .unknown(reason: "The connection was closed.") }
        try world.publish("news", "a")
        for _ in 0..<10 { try world.run(.kept(try destination("home"), [:])) }
        #expect(world.arrivals.count == 1)
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(60))
        #expect(world.arrivals.map(\.outcome).last == .delivered)
    }

    @Test(arguments: [false, true])
    func aLostStateIsNotTakenBackByAChangeAndItsReturn(_ waits: Bool) throws {
        var world = DeliveryWorld([try spaced()])
        try world.publish("news", "a")
        try world.start()
        try world.pass(.seconds(300))
        let lost = DeliveryInput.kept(try destination("home"), [.widget(try widget("news")): nil])
        if !waits { try world.run(lost) }
        try world.publish("news", "b")
        if waits { try world.run(lost) }
        try world.publish("news", "a")
        try world.pass(.seconds(3_600))
        #expect(try world.shown("news").last == "a" && world.arrivals.count == 2)
    }

    @Test func aLostStateIsSentAgainAfterACrashAlsoToADestinationThatGetsNoPresentStates() throws {
        var world = try DeliveryWorld.started([.sample("home")])
        try world.publish("news", "a")
        try world.pass(.seconds(300))
        let lost = DeliveryInput.kept(try destination("home"), [.widget(try widget("news")): nil])
        world.holdsRequests = true
        try world.run(lost)
        world.kill()
        world.holdsRequests = false
        world.clearArrivals()
        try world.start()
        try world.run(lost)
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a"])
    }

    @Test func aChangeAndItsReturnBesideTheStateThatWasLostLeaveTheLastOne() throws {
        var world = DeliveryWorld([try spaced()])
        try world.publish("news", "a")
        try world.start()
        try world.pass(.seconds(300))
        world.holdsRequests = true
        try world.run(.kept(try destination("home"), [.widget(try widget("news")): nil]))
        let request = try #require(world.heldRequests.last { $0.0 == .states }).1
        try world.publish("news", "b")
        let states = world.notifier.answer(request)
        try world.publish("news", "a")
        try world.run(.answered(.states, states))
        world.holdsRequests = false
        try world.pass(.seconds(3_600))
        #expect(try world.shown("news") == ["a", "a"])
    }

    // MARK: Changed modes

    @Test func noOlderUpdateFollowsANewerOneAfterADestinationGetsTheLatest() throws {
        var world = try DeliveryWorld.started([try .sample("hook") { $0.mode = .every }])
        world.holdsReplays = true
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        let held = try #require(world.heldReplays.first)
        world.outcome = { _, _ in nil }
        try world.configure([.sample("hook")])
        try world.publish("news", "41")
        world.outcome = { _, _ in .delivered }
        try world.run(held)
        try world.run(.sent(try #require(world.arrivals.last).result(.delivered)))
        for held in world.heldReplays { try world.run(held) }
        try world.pass(.seconds(60))
        let shown = try world.shown("news").compactMap(Int.init)
        #expect(shown == shown.sorted() && shown.last == 41)
    }

    // MARK: New destinations

    @Test func aNewDestinationGetsWhatCameAfterItsStateWithTheMissedUpdates() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        try world.publish("news", "1")
        try world.pass(.seconds(10))
        world.kill()
        world.plan.destinations[try destination("late")] = try .sample("late") { $0.sendsState = true }
        world.holdsRequests = true
        try world.start()
        for reader in [StreamReader.states, .stream] {
            let request = try #require(world.heldRequests.last { $0.0 == reader }).1
            try world.run(.answered(reader, world.notifier.answer(request)))
            if reader == .states {
                _ = try world.notifier.add("news", "2", result: .newData, reason: .visibleChange, at: world.wall)
            }
        }
        #expect(try world.shown("news", at: "late").last == "2")
    }

    @Test func aDeviceThatRegistersWhileTheNotifierIsDownGetsWhatChangesAfterwards() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        world.plan.devices.acceptsApple = true
        try world.pass(.seconds(10))
        world.kill()
        try world.publish("blog", "before")
        world.holdsRequests = true
        try world.start()
        try world.pass(.seconds(10))
        try world.register("phone", .background)
        try world.pass(.seconds(10))
        _ = try world.notifier.add("news", "after", result: .newData, reason: .visibleChange, at: world.wall)
        let request = try #require(world.heldRequests.last).1
        try world.run(.answered(.stream, world.notifier.answer(request)))
        let pushes = try world.arrivals.filter { $0.device != nil }.map { try $0.update().data.summary }
        #expect(pushes == ["after"])
    }
}
