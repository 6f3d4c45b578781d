// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of phones and browsers that are registered, as destinations of the core.
@Suite struct DeviceDeliveryTests {
    @Test func aDeviceGetsTheChangesOfItsWidgetsFromItsRegistrationOn() throws {
        var world = try started()
        try world.publish("news", "before")
        try world.register("phone", .background, ["news"])
        #expect(try world.deviceAnswers.last?.get().expires == at(0).advanced(by: DeviceLimits.lifetime))
        #expect(world.state.devices.count == 1, "the answer comes after the commit")
        try world.publish("news", "a")
        try world.publish("other", "b")
        #expect(try world.shown("news") == ["a"])
        #expect(try world.shown("other").isEmpty)
        #expect(world.arrivals.first?.device?.id.rawValue == "phone")
    }

    @Test func aDeviceAndItsBudgetSurviveARestart() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        try world.publish("news", "a")
        world.kill()
        try world.pass(.seconds(60))
        try world.start()
        try world.publish("news", "b")
        try world.publish("news", "c")
        #expect(try world.shown("news") == ["a"], "pushes are 20 minutes apart")
        try world.pass(.seconds(20 * 60))
        #expect(try world.shown("news") == ["a", "c"])
        #expect(world.arrivals.map(\.at).last.map { $0 >= at(20 * 60) } == true)
    }

    @Test func aThousandChangesInAnHourCostADeviceFortyPushesADay() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        for number in 0..<1000 {
            try world.publish("news", "\(number)")
            try world.pass(.milliseconds(3600))
        }
        // One at once, and one in each 20 minutes.
        try world.pass(.seconds(86_400))
        #expect(world.arrivals.count == 4)
        #expect(try world.shown("news").last == "999")
    }

    @Test func aRejectedAddressIsRemovedAtOnceUnlessTheDeviceHasRegisteredSince() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        let first = try #require(world.arrivals.last)
        try world.pass(.seconds(1))
        try world.register("phone", .background, ["news"])
        try world.run(.sent(first.result(.gone(reason: "410"))))
        #expect(world.state.devices.count == 1, "it has registered again")
        try world.pass(.seconds(3_600))
        let second = try #require(world.arrivals.last)
        #expect(second.attempt.number == 2 && second.attempt.message == first.attempt.message)
        try world.run(.sent(second.result(.gone(reason: "410"))))
        #expect(world.state.devices.isEmpty && world.state.lanes.isEmpty && world.state.destinations.isEmpty)
        world.clearArrivals()
        try world.publish("news", "b")
        #expect(world.arrivals.isEmpty)
    }

    @Test func aDeviceThatRegistersForOtherWidgetsGetsNothingThatWaited() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        try world.publish("news", "a")
        try world.publish("news", "b")
        try world.register("phone", .background, ["other"])
        try world.pass(.seconds(86_400))
        #expect(try world.shown("news") == ["a"])
        try world.publish("news", "c")
        try world.publish("other", "d")
        #expect(try world.shown("news") == ["a"])
        #expect(try world.shown("other") == ["d"])
    }

    @Test func aDeviceOfAppleNeedsAKey() throws {
        var world = try started(acceptsApple: false)
        try world.register("phone", .background, ["news"])
        #expect(throws: RequestError.self) { try world.deviceAnswers.last?.get() }
        #expect(world.state.devices.isEmpty)
    }

    @Test func aDeviceExpiresAndAClockThatIsSetExpiresNone() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        try world.setClock(by: .seconds(365 * 86_400))
        #expect(world.state.devices.count == 1)
        try world.pass(.seconds(59 * 86_400))
        try world.publish("news", "a")
        #expect(world.arrivals.count == 1)
        try world.pass(.seconds(86_400))
        #expect(world.state.devices.isEmpty)
        try world.publish("news", "b")
        #expect(world.arrivals.count == 1)
    }

    @Test func devicesStayWhenTheConfigurationChanges() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        try world.configure([try DestinationPlan.sample("hook")])
        try world.publish("news", "a")
        #expect(Set(world.arrivals.map { $0.device?.id.rawValue }) == ["phone", nil])
        try world.configure([])
        try world.pass(.seconds(3_600))
        try world.publish("news", "b")
        #expect(world.arrivals.last?.device != nil && world.arrivals.count == 3)
    }

    @Test func answersHaveTheConfiguredDestinationsBeforeDevicesThatFollowTheWidget() throws {
        var world = try started()
        try world.configure([try DestinationPlan.sample("phone")])
        try world.register("device", .background, ["news"])
        try world.publish("news", "a")
        #expect(try world.report(DeliveriesRequest()).destinations.map(\.kind) == ["webhook", "apns"])
        let answer = try world.report(DeliveriesRequest(widget: try widget("other")))
        #expect(answer.destinations.map(\.destination.rawValue) == ["phone"])
    }

    @Test func devicesAreTriedAtOnceWithANewKey() throws {
        var world = try started()
        try world.register("phone", .background, ["news"])
        world.outcome = { _, _ in .retry(after: .seconds(3_600), reason: "403 InvalidProviderToken") }
        try world.publish("news", "a")
        world.outcome = { _, _ in .delivered }
        try world.pass(.seconds(60))
        #expect(world.arrivals.count == 1)
        world.plan.devices.appleKey = "another"
        try world.run(.configure(world.plan))
        #expect(try world.shown("news") == ["a", "a"])
    }

    // MARK: Lost states

    @Test func aBrokerThatHasLostAStateGetsItAgainAndOneThatHasItDoesNot() throws {
        let home = try DestinationPlan.sample("home") { $0.sendsState = true }
        var world = DeliveryWorld([home])
        try world.publish("news", "a")
        try world.start()
        #expect(world.arrivals.map(\.attempt.isState) == [true])
        try world.publish("news", "b")
        #expect(world.arrivals.map(\.attempt.isState) == [true, false])
        world.clearArrivals()
        let subject = DeliverySubject.widget(try widget("news"))
        try world.run(.kept(home.name, [subject: KeptState(sequence: 2)]))
        #expect(world.arrivals.isEmpty)
        for kept in [nil, KeptState(sequence: 1)] {
            world.clearArrivals()
            try world.run(.kept(home.name, [subject: kept]))
            #expect(try world.shown("news") == ["b"])
            #expect(world.arrivals.map(\.attempt.isState) == [true])
        }
        // A change that comes afterwards is an event again.
        try world.publish("news", "c")
        #expect(world.arrivals.last?.attempt.isState == false)
    }

    @Test func whatWaitsForABrokerIsNotSentTwice() throws {
        let home = try DestinationPlan.sample("home") { $0.sendsState = true }
        var world = DeliveryWorld([home])
        try world.start()
        world.outcome = { _, _ in .retry(after: nil, reason: "no connection") }
        try world.publish("news", "a")
        world.outcome = { _, _ in .delivered }
        try world.run(.kept(home.name, [.widget(try widget("news")): nil]))
        try world.pass(.seconds(60))
        #expect(try world.shown("news") == ["a", "a"])
        #expect(Set(world.arrivals.map(\.attempt.message)).count == 1)
    }

    @Test func aBrokerThatIsBackGetsAtOnceWhatWaits() throws {
        let home = try DestinationPlan.sample("home") { $0.sendsState = true }
        var world = DeliveryWorld([home])
        try world.start()
        world.outcome = { _, _ in .retry(after: nil, reason: "no connection", isServerFailure: true) }
        for number in 0..<8 { try world.publish("w\(number)", "a") }
        try world.pass(.seconds(3 * 3_600))
        world.clearArrivals()
        world.outcome = { _, _ in .delivered }
        try world.run(.kept(home.name, [:]))
        #expect(world.arrivals.count == 8)
    }

    private func started(acceptsApple: Bool = true) throws -> DeliveryWorld {
        var world = DeliveryWorld([])
        world.plan.devices.acceptsApple = acceptsApple
        try world.start()
        return world
    }
}
