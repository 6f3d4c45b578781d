// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Bus

@Suite struct FloodRulesTests {
    /// Rules, with a forwarding thread and connections that the test controls.
    private struct Fixture {
        var rules = FloodRules(SubscriptionLimits())
        var progress = 1
        var processorTime = Duration.zero
        var connections: [Int32: FloodRules.Connection] = [:]

        init() { _ = floods(after: .zero) }

        mutating func send(_ bytes: Int, _ descriptor: Int32, from address: String, unread: Int = 0) {
            let before = connections[descriptor]?.received ?? 0
            connections[descriptor] = FloodRules.Connection(
                descriptor: descriptor,
                address: address,
                received: before + UInt64(bytes),
                unread: unread
            )
        }

        /// Returns the descriptors to end after the thread has used more processor time.
        mutating func floods(after time: Duration) -> [Int32] {
            processorTime += time
            let connections = connections
            return rules.floods(progress: progress, processorTime: processorTime) { Array(connections.values) }
                .map(\.descriptor).sorted()
        }
    }

    private var fixture = Fixture()

    @Test mutating func nobodyEndsWhileTheThreadMakesProgress() {
        for _ in 0..<50 {
            fixture.send(1 << 20, 1, from: "a", unread: 1024)
            fixture.progress += 1
            #expect(fixture.floods(after: .milliseconds(20)) == [])
        }
    }

    @Test mutating func nobodyEndsWhileTheThreadWaits() {
        for _ in 0..<50 {
            fixture.send(1 << 20, 1, from: "a", unread: 1024)
            #expect(fixture.floods(after: .zero) == [])
        }
    }

    @Test mutating func aConnectionThatSendsMoreThanItMayEndsAndOneWithAllItsSubscriptionsStays() {
        for descriptor in Int32(1)...2 { fixture.send(1 << 20, descriptor, from: "a") }
        #expect(fixture.floods(after: .milliseconds(20)) == [])
        fixture.send(fixture.rules.allowedBytes, 1, from: "a")
        fixture.send(fixture.rules.allowedBytes + 1, 2, from: "a")
        #expect(fixture.floods(after: .milliseconds(20)) == [])
        #expect(fixture.floods(after: .milliseconds(20)) == [2])
        #expect(fixture.floods(after: .milliseconds(20)) == [])
    }

    @Test mutating func manyConnectionsEndByAddressBeginningWithTheOneThatSendsMost() {
        for descriptor in Int32(1)...200 { fixture.send(0, descriptor, from: "unknown") }
        #expect(fixture.floods(after: .milliseconds(20)) == [])
        fixture.send(8000, 1, from: "honest")
        fixture.send(500, 2, from: "many")
        for descriptor in Int32(3)...10 { fixture.send(30_000, descriptor, from: "many") }
        for descriptor in Int32(11)...200 { fixture.send(0, descriptor, from: "unread", unread: 1024) }
        #expect(fixture.floods(after: .milliseconds(980)) == [])
        #expect(fixture.floods(after: .milliseconds(20)) == Array(3...10))
        #expect(fixture.floods(after: .milliseconds(20)) == Array(11...200))
        // The thread is busy for another reason.
        for _ in 0..<5 { #expect(fixture.floods(after: .milliseconds(200)) == []) }
        fixture.progress += 1
        #expect(fixture.floods(after: .milliseconds(20)) == [])
    }
}
