// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import EventStreams
import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of the position of the stream, which is stored later than what attempts change.
@Suite struct PositionTests {
    @Test func updatesThatNobodyGetsAreStoredTogether() throws {
        var world = try DeliveryWorld.started([.sample("hook")])
        let before = world.state
        for _ in 1...3 { try world.publish("news", "before", result: .noData, reason: .sameRows) }
        #expect(world.state.position == before.position)
        #expect(world.state.destinations == before.destinations)
        try world.pass(world.limits.positionInterval)
        #expect(world.state.position == world.notifier.heads.end)
        #expect(try world.state.destinations[destination("hook")]?.counts.noData == 3)
    }

    @Test func anUpdateThatWasNotStoredBeforeACrashComesAgainOnce() throws {
        var world = try DeliveryWorld.started([.sample("hook") { $0.budget = .init(perDay: 1) }])
        try world.publish("news", "a")
        try world.publish("news", "b")
        world.kill()
        try world.start()
        try world.pass(.seconds(3 * 86_400))
        #expect(try world.shown("news") == ["a", "b"])
    }

    @Test func anUpdateThatALaneRequestedIsNotTakenAgainFromTheStream() throws {
        var world = try DeliveryWorld.started([.sample("each") { $0.mode = .every }])
        world.outcome = { _, _ in nil }
        for number in 1...40 { try world.publish("news", "\(number)") }
        // The notifier has it, and the message is late.
        let late = try world.notifier.add("news", "41", result: .newData, reason: .visibleChange, at: world.wall)
        world.outcome = { _, _ in .delivered }
        try world.run(.sent(try #require(world.arrivals.first).result(.delivered)))
        try world.run(.follow(.update(late, json: try WireJSON.encode(late))))
        #expect(try world.shown("news") == (1...41).map(String.init))
    }

    @Test func aRegistrationIsNotAskedAboutUpdatesFromBefore() throws {
        var world = DeliveryWorld([])
        world.plan.devices.acceptsApple = true
        for name in ["news", "blog"] { try world.publish(name, "before") }
        try world.start()
        try world.register("phone", .background, ["news"])
        try world.pass(.seconds(10))
        try world.publish("blog", "b")
        try world.register("phone", .background, ["news", "blog"])
        world.kill()
        try world.start()
        try world.pass(.seconds(60))
        #expect(world.arrivals.isEmpty)
    }

    @Test func anUpdateThatWasDeliveredBeforeACrashIsNotDeliveredAgain() throws {
        var world = try DeliveryWorld.started([.sample("hook"), .sample("each") { $0.mode = .every }])
        for text in ["a", "b"] { try world.publish("news", text) }
        #expect(world.state.position != world.notifier.heads.end)
        world.kill()
        try world.start()
        try world.pass(.seconds(60))
        for name in ["hook", "each"] { #expect(try world.shown("news", at: name) == ["a", "b"]) }
    }
}
