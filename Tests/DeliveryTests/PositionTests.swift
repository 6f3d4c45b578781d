// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import Testing
import WidgetSchema

@testable import Delivery

/// Tests of the position of the stream, which is stored later than what attempts change.
@Suite struct PositionTests {
    private func world(_ plans: [DestinationPlan]) throws -> DeliveryWorld {
        var world = DeliveryWorld(plans)
        try world.publish("news", "before")
        try world.start()
        return world
    }

    @Test func updatesThatNobodyGetsAreStoredTogether() throws {
        var world = try world([.sample("hook")])
        let before = world.state
        for _ in 1...3 { try world.publish("news", "before", result: .noData, reason: .sameRows) }
        #expect(world.state.position == before.position)
        #expect(world.state.destinations == before.destinations)
        try world.pass(world.limits.positionInterval)
        #expect(world.state.position == world.notifier.heads.end)
        #expect(try world.state.destinations[destination("hook")]?.counts.noData == 3)
    }

    @Test func anUpdateThatWasNotStoredBeforeACrashComesAgainOnce() throws {
        var world = try world([.sample("hook") { $0.budget = .init(perDay: 1) }])
        try world.publish("news", "a")
        try world.publish("news", "b")
        world.kill()
        try world.start()
        try world.pass(.seconds(3 * 86_400))
        #expect(try world.shown("news") == ["a", "b"])
    }

    @Test func anUpdateThatWasDeliveredBeforeACrashIsNotDeliveredAgain() throws {
        var world = try world([.sample("hook"), .sample("each") { $0.mode = .every }])
        for text in ["a", "b"] { try world.publish("news", text) }
        #expect(world.state.position != world.notifier.heads.end)
        world.kill()
        try world.start()
        try world.pass(.seconds(60))
        for name in ["hook", "each"] { #expect(try world.shown("news", at: name) == ["a", "b"]) }
    }

    @Test func theFirstDestinationsDoNotWaitForTheLastOnes() throws {
        var world = try world(try (1...5).map { try .sample("d\($0)") })
        world.limits.fanOut = 2
        world.kill()
        try world.start()
        world.outcome = { _, _ in nil }
        try world.publish("news", "a")
        #expect(world.arrivals.map(\.key.destination.rawValue) == ["d1", "d2"])
        // A crash in between forgets none of the others.
        world.kill()
        world.outcome = { _, _ in .delivered }
        try world.start()
        try world.pass(.seconds(60))
        #expect(Set(world.arrivals.map(\.key.destination.rawValue)) == ["d1", "d2", "d3", "d4", "d5"])
    }

    @Test func anUpdateIsOfferedToAllBeforeTheNextOne() throws {
        var world = try world(try (1...5).map { try .sample("d\($0)") { $0.mode = .every } })
        world.limits.fanOut = 2
        world.kill()
        try world.start()
        for text in ["a", "b"] { try world.publish("news", text) }
        try world.pass(.seconds(1))
        for number in 1...5 { #expect(try world.shown("news", at: "d\(number)") == ["a", "b"]) }
    }
}
