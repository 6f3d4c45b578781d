// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import OriginSupport
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// Two processes of the layout service share the widgets; one of them is frozen, and one is killed.
@Suite(.serialized, .timeLimit(.minutes(2))) struct SharedLayoutTests {
    private static let widgets = (0..<12).map { "w\($0)" }
    /// The maximum time from a cycle's commit to its verdict, whatever stands still.
    private static let verdictDelay: Int64 = 6000

    /// Waits until a layout instance reports the number of instances that share the widgets.
    private static func waitForShares(_ count: Int64, of instances: Set<String>, _ address: BusAddress) async throws {
        let configuration = BusConfiguration(address: address, subscriptions: ["health/layout/"])
        try await withBusClient(configuration) { client in
            var waiting = instances
            while !waiting.isEmpty {
                let found = try await client.health("instances that share the widgets") { health, name in
                    health.gauges["layout.instances"] == count ? name : nil
                }
                waiting.remove(found)
            }
        }
    }

    @Test func eachWidgetHasItsVerdictInTimeWhileOneOfTwoIsFrozenOrDead() async throws {
        try await withScriptedOrigin { origin in
            let sources = origin.serveChanging(Self.widgets)
            try await RunningSystem.with(sources) { system in
                try await system.start("layout", as: "layout2")
                try await Self.waitForShares(2, of: ["layout", "layout2"], system.address)
                try await system.withReader { reader in
                    try await reader.readNew(Self.widgets, "with two instances")
                    for instance in ["layout", "layout2"] {
                        let health = try await system.ask(.layout, instance: instance, HealthRequest()).result.health
                        let counters = health.counters
                        #expect(counters["layout.cycles", default: 0] > 0, "\(instance) lays out a share")
                        #expect(counters["layout.cyclesOfOthers", default: 0] > 0, "\(instance) leaves a share")
                    }
                    var begun = Instant.now
                    try system.signal(SIGSTOP, to: "layout2")
                    try await reader.readNew(Self.widgets, "with one instance frozen")
                    try await Self.waitForShares(1, of: ["layout"], system.address)
                    try await reader.readNew(Self.widgets, "with one instance left")
                    Self.judge(reader.record, since: begun, "frozen")
                    try system.signal(SIGCONT, to: "layout2")
                    try await Self.waitForShares(2, of: ["layout", "layout2"], system.address)
                    begun = Instant.now
                    try await system.kill("layout")
                    try await reader.readNew(Self.widgets, "with one instance dead")
                    Self.judge(reader.record, since: begun, "dead")
                    #expect(reader.record.updates.allSatisfy { $0.first == $0.sequence || $0.first == 1 })
                }
            }
        }
    }

    /// Judges the delays of the cycles that were committed after an instant.
    private static func judge(_ record: IndependentReader.Record, since begun: Instant, _ what: String) {
        var delays: [String: Int64] = [:]
        for seen in record.updates {
            guard let committed = seen.committed, committed > begun, let time = seen.time else { continue }
            delays[seen.widget] = max(delays[seen.widget] ?? 0, time.milliseconds(since: committed))
        }
        let longest = delays.values.max() ?? .max
        #expect(longest <= verdictDelay, "the longest delay with one instance \(what)")
        #expect(Set(delays.keys) == Set(widgets))
    }
}
