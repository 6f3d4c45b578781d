// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import Telemetry
import TestSupport
import Testing
import WidgetSchema

@testable import Bus

/// Subscribers that have too many subscriptions, beside one that has few.
@Suite(.timeLimit(.minutes(2)))
struct SubscriptionLimitTests {
    private static let topic = Topic("update/newData/blog/")

    /// Runs a bus with low limits, its log, and a client that asks and publishes.
    private static func withBus(
        _ limits: SubscriptionLimits,
        _ body: (BusClient, BusAddress, InMemoryLog) async throws -> Void
    ) async throws {
        let anyPort = Endpoint.tcp(host: "127.0.0.1", port: 0)
        var configuration = testBusConfiguration(BusAddress(publish: anyPort, subscribe: anyPort, request: anyPort))
        let log = InMemoryLog()
        configuration.subscriptionLimits = limits
        configuration.log = Logger(label: "bus", handler: log)
        let server = try await BusServer.start(configuration)
        try await withBusClient(BusConfiguration(address: server.address, publishes: true)) { client in
            try await client.waitUntilPublisherConnected()
            try await body(client, server.address, log)
        }
        server.stop()
        try await server.ended()
    }

    /// Starts a client with this number of subscriptions; one of them is the readiness topic.
    private static func subscriber(_ count: Int, length: Int = 8, at address: BusAddress) throws -> BusClient {
        let prefixes = (1..<count).map { number in
            let text = "heads/\(number)/"
            return text + String(repeating: "x", count: max(0, length - text.utf8.count))
        }
        return try BusClient(BusConfiguration(address: address, subscriptions: prefixes))
    }

    /// Waits until the bus has ended this number of connections because of their subscriptions.
    private static func waitForEnds(_ count: Int64, _ client: BusClient) async throws {
        while true {
            if try await client.busHealth().counters["limit.bus.subscriptions", default: 0] >= count { return }
        }
    }

    /// Publishes a message, and checks that a subscriber gets it on the connection that it had before.
    private static func expectUndisturbed(_ messages: SubscriptionMessages, _ client: BusClient) async throws {
        client.publish(topic, [Data("{}".utf8)])
        for await element in messages {
            guard case .message(let message) = element else {
                Issue.record("the subscriber has lost its connection")
                continue
            }
            #expect(message.topic == topic)
            return
        }
    }

    @Test(arguments: [(101, 8), (10, 200)])
    func tooManySubscriptionsOrBytesEndTheirConnectionAndNoOther(count: Int, length: Int) async throws {
        try await Self.withBus(SubscriptionLimits(count: 100, bytes: 1500)) { client, address, log in
            try await withSubscription(to: ["update/"], at: address) { messages in
                let flooding = try Self.subscriber(count, length: length, at: address)
                defer { flooding.close() }
                // The client connects again each time.
                try await Self.waitForEnds(3, client)
                try await Self.expectUndisturbed(messages, client)
                let warnings = log.entries.filter { $0.message.contains("too many subscriptions") }
                #expect(warnings.count == 1)
                #expect(warnings.first?.metadata[.peer].map { "\($0)" } == "127.0.0.1")
            }
        }
    }

    @Test func subscriptionsOfManyConnectionsEndTheLargestOnesAndNoSmallOne() async throws {
        try await Self.withBus(SubscriptionLimits(count: 10, bytes: 10_000, ofAll: 80)) { client, address, _ in
            try await withSubscription(to: ["update/"], at: address) { messages in
                let flooding = try (0..<20).map { _ in try Self.subscriber(9, at: address) }
                defer { for one in flooding { one.close() } }
                try await Self.waitForEnds(12, client)
                try await Self.expectUndisturbed(messages, client)
            }
        }
    }

    @Test func subscriptionsOfConnectionsThatHaveEndedDoNotCount() async throws {
        try await Self.withBus(SubscriptionLimits(count: 10, bytes: 10_000, ofAll: 80)) { client, address, _ in
            for _ in 0..<30 {
                let subscriber = try Self.subscriber(9, at: address)
                try await subscriber.waitUntilReady()
                subscriber.close()
            }
            while true {
                let health = try await client.busHealth()
                #expect(health.counters["limit.bus.subscriptions"] == nil)
                if health.gauges["bus.subscriptions"] == 0 { break }
            }
        }
    }

    @Test(arguments: [["\u{2}", "\u{1}prefix"], ["\u{1}prefix", "\u{2}"], ["", "\u{1}prefix"], ["\u{2}"]])
    func whatIsNoSubscriptionEndsItsConnectionAndIsCounted(frames: [String]) async throws {
        try await Self.withBus(SubscriptionLimits()) { client, address, log in
            try await withSubscription(to: ["update/"], at: address) { messages in
                let socket = try ZeroMQSocket(.xsub, in: try ZeroMQContext(), settings: SocketSettings())
                try socket.connect(to: address.subscribe)
                // Before the connection is there, libzmq drops the message.
                while true {
                    _ = try socket.send(frames.map { Data($0.utf8) })
                    if try await client.busHealth().counters["limit.bus.subscriptions", default: 0] > 0 { break }
                }
                try await Self.expectUndisturbed(messages, client)
                #expect(log.entries.contains { $0.message.contains("something else than subscriptions") })
            }
        }
    }

    @Test(arguments: [
        (["--subscriptions", "5"], [6], "too many subscriptions", "limit=5"),
        (["--subscriptions", "5", "--all-subscriptions", "7"], [4, 4], "all together have too many", "limit=7"),
    ])
    func theLimitsAreOptionsOfTheBus(options: [String], counts: [Int], warning: String, limit: String) async throws {
        let environment = ["TIDINGS_BUS": "tcp://127.0.0.1:0", "TIDINGS_STORE": NSTemporaryDirectory()]
        let bus = try SpawnedService("bus", options, environment: environment)
        let address = try BusAddress(spawned: try await bus.readiness())
        let subscribers = try counts.map { try Self.subscriber($0, at: address) }
        defer { for one in subscribers { one.close() } }
        #expect(try await bus.errorLine(containing: warning).contains(limit))
        bus.signal(SIGTERM)
        #expect(try await bus.exitStatus() == 0)
    }
}
