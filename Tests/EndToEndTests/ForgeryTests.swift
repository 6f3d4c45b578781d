// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import TestSupport
import Testing
import WidgetSchema

/// Tests of forged messages and of requests from a stranger on the bus.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ForgeryTests {
    @Test func aForgedCycleWithTheLargestNumberStopsNoUpdates() async throws {
        try await RunningSystem.read(feed: rss("First"), of: "w") { origin, system, reader in
            try await reader.read("the first") { $0.hasNewData("w") }
            var configuration = BusConfiguration(address: system.address)
            configuration.publishes = true
            try await withBusClient(configuration) { stranger in
                try await stranger.waitUntilReady()
                let widget = try #require(WidgetID(rawValue: "w"))
                for topic in [Topic.refreshed(widget), Topic.laidOut(widget)] {
                    stranger.publish(topic, [try await Self.forged(topic, system)])
                }
            }
            origin.serve("/feed", body: rss("Second"))
            let count = reader.record.count("w")
            try await reader.read("the second") { record in
                record.updates.dropFirst(count).contains { $0.reason == "visibleChange" }
            }
            #expect(try await ShownContent.feed("w", system).items.map(\.title) == ["Second"])
        }
    }

    @Test(arguments: 1...TestExtent.of(1, nightly: 10) as ClosedRange<UInt64>)
    func whateverIsForgedEachWidgetGoesOnWithItsOwnContent(seed: UInt64) async throws {
        let names = ["a", "b", "c"]
        let widgets = names.compactMap { WidgetID(rawValue: $0) }
        try await withScriptedOrigin { origin in
            for name in names { origin.serve("/\(name)", body: rss("First of \(name)")) }
            let sources = origin.urls(names)
            try await RunningSystem.read(sources) { system, reader in
                try await reader.read("the first") { record in names.allSatisfy { record.hasNewData($0) } }
                var configuration = BusConfiguration(address: system.address)
                configuration.publishes = true
                try await withBusClient(configuration) { stranger in
                    try await stranger.waitUntilReady()
                    var forger = Forger(seed: seed)
                    for widget in widgets { try await forger.learn(widget, from: system) }
                    for _ in 0..<1_000 {
                        let (topic, json) = try forger.next()
                        stranger.publish(topic, [json])
                    }
                }
                for name in names { origin.serve("/\(name)", body: rss("Second of \(name)")) }
                try await reader.read("the second") { record in
                    names.allSatisfy { record.last($0)?.summary.hasPrefix("Second of \($0)") == true }
                }
                try await Self.waitUntilAllAgree(on: widgets, system)
            }
        }
    }

    /// Waits until the notifier is at the cache's last cycle of each widget, with the content of that cycle.
    private static func waitUntilAllAgree(on widgets: [WidgetID], _ system: RunningSystem) async throws {
        func last<Payload: EventPayload>(_ service: ServiceName, _: Payload.Type) async throws -> [Event<Payload>] {
            try await system.ask(service, SnapshotRequest<Payload>(widgets: widgets)).result.records
        }
        // Heads come each second.
        try await withSubscription(to: [Topic.Prefix.heads], at: system.address) { messages in
            for await case .message in messages {
                let (cycles, updates) = (try await last(.cache, Refreshed.self), try await last(.notifier, Update.self))
                let isAtEnd = cycles.map(\.range?.sequence) == updates.map(\.range?.sequence)
                if isAtEnd, updates.allSatisfy({ $0.data.summary.contains("Second") }) { return }
            }
        }
    }

    /// Returns the widget's last cycle from the cache or the layout service, with the largest sequence number.
    private static func forged(_ topic: Topic, _ system: RunningSystem) async throws -> Data {
        let widget = try #require(WidgetID(rawValue: "w"))
        if topic == .refreshed(widget) {
            let page = try await system.ask(.cache, SnapshotRequest<Refreshed>(widgets: [widget])).result
            var event = try #require(page.records.first)
            event.range = SequenceRange(SequenceNumber(.max))
            return try WireJSON.encode(event)
        }
        let page = try await system.ask(.layout, ReplayRequest<LaidOut>(from: [widget: 1])).result
        var event = try #require(page.records.last)
        event.range = SequenceRange(SequenceNumber(.max))
        return try WireJSON.encode(event)
    }

    @Test func aStrangerGetsNoLeases() async throws {
        try await RunningSystem.with(feed: rss("First"), of: "w") { origin, system in
            let error = await #expect(throws: RequestError.self) {
                try await system.ask(.cache, LeaseRequest(slots: 8))
            }
            #expect(error?.code == .refused)
        }
    }
}
