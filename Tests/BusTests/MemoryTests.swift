// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@testable import Bus

/// Tests of the limits on the memory that a peer can make the bus use.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct MemoryTests {
    /// A peer that speaks ZMTP 3.0 by hand (rfc.zeromq.org/spec/23), to send what libzmq would not.
    private final class RawPeer {
        private let client: RawClient

        init(_ endpoint: Endpoint) throws {
            client = try RawClient(port: endpoint.port)
            var greeting: [UInt8] = [0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 3, 0]
            greeting += Array("NULL".utf8) + [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 0, count: 32)
            guard client.send(greeting) else { throw DidNotArrive("the greeting") }
            let ready: [UInt8] =
                [5] + Array("READY".utf8) + [11] + Array("Socket-Type".utf8) + [0, 0, 0, 3] + Array("PUB".utf8)
            guard client.send([4, UInt8(ready.count)] + ready) else { throw DidNotArrive("the handshake") }
        }

        /// Sends a frame that is not the last of its message.
        func sendPart(_ count: Int) -> Bool {
            var size = UInt64(count).bigEndian
            return withUnsafeBytes(of: &size) { client.send([UInt8(3)] + $0) }
                && client.send([UInt8](repeating: 0, count: count))
        }
    }

    private static func spawnBus(memory: Int) throws -> SpawnedService {
        let environment = ["TIDINGS_BUS": "tcp://127.0.0.1:0", "TIDINGS_STORE": NSTemporaryDirectory()]
        return try SpawnedService("bus", ["--memory", "\(memory)"], environment: environment)
    }

    @Test func aMessageThatNeverEndsCostsItsSenderTheConnectionAndNobodyElseAnything() async throws {
        let bus = try Self.spawnBus(memory: 256)
        let address = try BusAddress(spawned: try await bus.readiness())
        try await withSubscription(to: ["update/"], at: address) { messages in
            let parts = try await onOwnThread {
                let peer = try RawPeer(address.publish)
                var parts = 0
                while parts < 4000, peer.sendPart(1_000_000) { parts += 1 }
                return parts
            }
            #expect(parts < 1000, "\(parts) parts of 1 MB were taken")
            // The bus goes on, and the others connect again by themselves.
            try await withBusClient(BusConfiguration(address: address, publishes: true)) { client in
                try await client.waitUntilReady()
                let topic = Topic("update/newData/blog/")
                client.publish(topic, [Data("{}".utf8)])
                for await case .message(let message) in messages where message.topic == topic { break }
                #expect(try await client.busHealth().counters["limit.bus.memory", default: 0] > 0)
            }
            _ = try await bus.errorLine(containing: "closed the connections of all senders")
            bus.signal(SIGTERM)
            let status = try await bus.exitStatus()
            #expect(status == 0)
        }
    }

    @Test func aBusThatUsesMoreMemoryThanItMayExitsAndSaysWhy() async throws {
        // The program alone has more.
        let bus = try Self.spawnBus(memory: 4)
        let status = try await bus.exitStatus()
        #expect(status != 0)
        let said = try await bus.allEnded()
        #expect(said.contains("uses more than 4 MiB of memory"))
    }

    @Test func halfOfTheLimitDropsSendersOnceInAWhileAndTheLimitEndsTheBus() {
        var memory = MemoryGuard(limit: 1000)
        let start = ContinuousClock.now
        let later = start + MemoryGuard.releaseTimeout
        let verdicts = [(499, start), (500, start), (900, start + .seconds(1)), (900, later), (1000, start)].map {
            memory.judge($0.0, now: $0.1)
        }
        #expect(verdicts == [.fine, .dropSenders, .fine, .dropSenders, .exit])
        var unlimited = MemoryGuard(limit: 0)
        let verdict = unlimited.judge(.max, now: start)
        #expect(verdict == .fine)
        #expect(MemoryGuard.residentBytes > 1 << 20)
    }

    @Test func theMemoryIsMeasuredBeforeItCanReachHalfOfTheLimit() {
        let memory = MemoryGuard(limit: 1 << 30)
        let milliseconds = [0, 256, 411, 512, 1000].map { memory.interval(after: $0 << 20) / .milliseconds(1) }
        #expect(milliseconds == [500, 250, 100, 100, 100])
        #expect(MemoryGuard(limit: 0).interval(after: .max) == MemoryGuard.intervals.upperBound)
    }

    @Test func aSubscriberThatSendsMoreThanASubscriptionLosesItsConnection() async throws {
        try await withBus { address in
            let parts = try await onOwnThread {
                let peer = try RawPeer(address.subscribe)
                var parts = 0
                while parts < 200, peer.sendPart(BusLimits.subscription + 1) { parts += 1 }
                // The connection may end while the kernel still takes bytes: the end is seen in time.
                while parts < 1_000_000, peer.sendPart(100_000) { parts += 1 }
                return parts
            }
            #expect(parts < 1_000_000)
        }
    }
}
