// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Bus
import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

/// "Ready" is a promise: what is published after it arrives.
@Suite(.timeLimit(.minutes(3)))
struct ReadinessTests {
    /// Rounds in all, in lanes side by side.
    private static let rounds = 1000
    private static let lanes = 4

    @Test func nothingIsLostAfterReadyUnderLoad() async throws {
        try await withBus { address in
            try await withCPULoad {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for lane in 0..<Self.lanes { group.addTask { try await Self.runLane(lane, address) } }
                    try await group.waitForAll()
                }
            }
        }
    }

    private static func runLane(_ lane: Int, _ address: BusAddress) async throws {
        try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
            try await publisher.waitUntilReady()
            for round in 0..<rounds / lanes {
                let topic = Topic("update/newData/lane-\(lane)-\(round)/")
                try await withSubscription(to: [topic.text], at: address) { messages in
                    // Every tenth time by a publisher that is as new as the subscription.
                    if round % 10 == 0 {
                        try await withBusClient(BusConfiguration(address: address, publishes: true)) { newcomer in
                            try await newcomer.waitUntilPublisherConnected()
                            newcomer.publish(topic, [Data("first".utf8)])
                        }
                    } else {
                        publisher.publish(topic, [Data("first".utf8)])
                    }
                    let message = try await messages.firstMessage()
                    #expect(message == BusMessage(topic: topic, frames: [Data("first".utf8)]), "round \(round)")
                }
            }
        }
    }

    @Test func allOfFiveThousandSubscriptionsHold() async throws {
        try await withBus(subscriptionLimits: SubscriptionLimits(count: 10_000)) { address in
            let topics = (0..<5000).map { Topic("update/newData/widget-\($0)/") }
            try await withSubscription(to: topics.map(\.text), at: address) { messages in
                try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                    for topic in topics { publisher.publish(topic, [Data("{}".utf8)]) }
                    var missing = Set(topics)
                    for await case .message(let message) in messages {
                        missing.remove(message.topic)
                        if missing.isEmpty { break }
                    }
                    #expect(missing.isEmpty)
                }
            }
        }
    }

    @Test func whatIsPublishedBeforeTheFirstConnectionWaitsForIt() async throws {
        try await withBus { address in
            try await withSubscription(to: ["heads/"], at: address) { messages in
                try await withBusClient(BusConfiguration(address: address, publishes: true)) { publisher in
                    publisher.publish(.heads(of: .cache), [Data("{}".utf8)])
                    let message = try await messages.firstMessage()
                    #expect(message.topic == .heads(of: .cache))
                }
            }
        }
    }
}
