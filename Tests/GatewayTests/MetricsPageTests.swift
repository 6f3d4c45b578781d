// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Gateway

/// The metrics of heartbeats with impossible values.
@Suite struct MetricsPageTests {
    private static let name = "fetcher/f1"

    private func heartbeat(_ counts: [Int64]) throws -> Event<Health> {
        let instance = try #require(InstanceName(rawValue: "f1"))
        let histogram = DurationHistogram(
            boundsMicroseconds: [.min, .max],
            counts: counts,
            sumMicroseconds: .min
        )
        let health = Health(
            state: .ready,
            version: "1",
            startedAt: Samples.now,
            counters: ["fetcher.fetches": .min],
            gauges: ["fetcher.leases": .max],
            histograms: ["fetcher.duration": histogram]
        )
        let topic = Topic.health(.fetcher, instance)
        return Event(topic, subject: Self.name, nonce: "n", counter: 1, time: Samples.now, data: health)
    }

    @Test(arguments: [[], [.min], [-1, -1, -1], [.max, .max, .max], [.min, .max, 1, .max]] as [[Int64]])
    func aHeartbeatWithImpossibleCountsLeavesTheMetricsReadable(counts: [Int64]) throws {
        let world = try BoardWorld()
        world.gateway.view.take(try heartbeat(counts))
        let lines = MetricsPage.system(world.gateway).split(separator: "\n").filter { !$0.hasPrefix("#") }
        let values = lines.filter { $0.hasPrefix("tidings_instance_duration_seconds_bucket") }.map { line in
            line.split(separator: " ").last.flatMap { Double($0) } ?? -1
        }
        #expect(values.count == counts.count)
        #expect(values.allSatisfy { $0 >= 0 } && values == values.sorted())
        for name in ["total", "value", "duration_seconds_count", "start_time_seconds"] {
            #expect(lines.contains { $0.hasPrefix("tidings_instance_\(name){") }, "\(name)")
        }
    }

    @Test(arguments: ["NaN", "Infinity", "1e400", "0.5", "9223372036854775808"])
    func aHeartbeatWithACountThatIsNoIntegerIsMalformed(count: String) throws {
        let text = String(decoding: try WireJSON.encode(heartbeat([7_777_777])), as: UTF8.self)
        #expect(try WireJSON.decode(Event<Health>.self, from: Data(text.utf8)).data.histograms.count == 1)
        let changed = text.replacing("7777777", with: count)
        #expect(changed != text)
        #expect(throws: WireError.self) { try WireJSON.decode(Event<Health>.self, from: Data(changed.utf8)) }
    }
}
