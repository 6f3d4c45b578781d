// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import MessageBus
import ServiceRuntime
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// Tests of the running cache's heartbeats about sources that have fallen silent.
@Suite(.timeLimit(.minutes(3))) struct SilenceHealthTests {
    @Test func heartbeatsNameASourceThatUsedToChangeEveryHourAndHasNotForAWeek() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "silence-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "data"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tidings.yml")
        try Data(
            "store: ./data\nwidgets:\n  news: {kind: feed, source: \"https://quiet.example.org/feed\"}\n".utf8
        ).write(to: file)
        try Self.rememberHourlyChanges(until: .now.advanced(byMilliseconds: -7 * 24 * 3_600_000), of: file.path)

        try await withBus { address in
            let subscribing = BusConfiguration(address: address, subscriptions: ["health/cache/"])
            try await withBusClient(subscribing) { client in
                let environment = ["TIDINGS_BUS": address.description]
                let cache = try SpawnedService("cache", ["--config", file.path], environment: environment)
                _ = try await cache.readiness()
                let health = try await client.health("a silent source") { health, _ in
                    health.gauges["silent.sources", default: 0] > 0 ? health : nil
                }
                #expect(health.state == .ready)
                #expect(health.gauges["silent.sources"] == 1)
                let message = try #require(health.message)
                let silence = "No change for far longer than usual: news (usually every hour or sooner, last "
                #expect(message.hasPrefix(silence))
                cache.signal(SIGTERM)
                #expect(try await cache.exitStatus() == 0)
            }
        }
    }

    /// Fills the store of a configuration as a cache would have that saw a change each hour.
    private static func rememberHourlyChanges(until last: Instant, of file: String) throws {
        let plan = CachePlan(try TidingsConfiguration.load(path: file))
        let source = try #require(plan.sources.keys.first)
        var cadence = Cadence(firstChange: last.advanced(byMilliseconds: -8 * 3_600_000))
        for hour in (0..<8).reversed() { cadence.change(at: last.advanced(byMilliseconds: -Int64(hour) * 3_600_000)) }
        var record = SourceRecord(nextAttempt: .now.advanced(byMilliseconds: 3_600_000))
        record.cadence = cadence
        let path = URL(filePath: file).deletingLastPathComponent().appending(path: "data/cache.sqlite").path
        let store = try CacheStore(path: path)
        try store.write([.saveSource(source, record)])
        store.close()
    }
}
