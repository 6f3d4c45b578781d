// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
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
            let answer = try await client.ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20))
            if answer.result.health.counters["limit.bus.subscriptions", default: 0] >= count { return }
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

    @Test func aConnectionMayHaveAsManySubscriptionsAsItsLimit() async throws {
        try await Self.withBus(SubscriptionLimits(count: 100, bytes: 1500)) { client, address, _ in
            let subscriber = try Self.subscriber(100, at: address)
            defer { subscriber.close() }
            try await subscriber.waitUntilReady()
            let health = try await client.ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20)).result
                .health
            #expect(health.counters["limit.bus.subscriptions"] == nil)
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
                let answer = try await client.ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20))
                #expect(answer.result.health.counters["limit.bus.subscriptions"] == nil)
                if answer.result.health.gauges["bus.subscriptions"] == 0 { break }
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
                    let health = try await client.ask(RequestTarget(.bus), HealthRequest(), deadline: .seconds(20))
                        .result.health
                    if health.counters["limit.bus.subscriptions", default: 0] > 0 { break }
                }
                try await Self.expectUndisturbed(messages, client)
                #expect(log.entries.contains { $0.message.contains("something else than subscriptions") })
            }
        }
    }

    @Test func theLimitIsAnOptionOfTheBus() async throws {
        let bus = try SpawnedService(
            "bus",
            ["--subscriptions", "5"],
            environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0", "TIDINGS_STORE": NSTemporaryDirectory()]
        )
        let address = try BusAddress(spawned: try await bus.readiness())
        let flooding = try Self.subscriber(6, at: address)
        defer { flooding.close() }
        let warning = try await bus.errorLine(containing: "too many subscriptions")
        #expect(warning.contains("limit=5"))
        bus.signal(SIGTERM)
        #expect(try await bus.exitStatus() == 0)
    }

    @Test func theLimitOfAllIsAnOptionOfTheBus() async throws {
        let bus = try SpawnedService(
            "bus",
            ["--subscriptions", "5", "--all-subscriptions", "7"],
            environment: ["TIDINGS_BUS": "tcp://127.0.0.1:0", "TIDINGS_STORE": NSTemporaryDirectory()]
        )
        let address = try BusAddress(spawned: try await bus.readiness())
        let subscribers = try (0..<2).map { _ in try Self.subscriber(4, at: address) }
        defer { for one in subscribers { one.close() } }
        let warning = try await bus.errorLine(containing: "all together have too many subscriptions")
        #expect(warning.contains("limit=7"))
        bus.signal(SIGTERM)
        #expect(try await bus.exitStatus() == 0)
    }
}
