// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Telemetry
import Testing

@Suite struct MetricsTests {
    @Test func countsFromManyTasksAddUp() async {
        let metrics = Metrics()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 { metrics.counter("messages").increment() }
                    metrics.gauge("open").add(2)
                    metrics.gauge("open").add(-1)
                }
            }
        }
        #expect(metrics.snapshot() == ["messages": 8_000, "open": 8])
    }

    @Test func aLimitIsReportedOnlyOnceItWasHit() {
        let metrics = Metrics()
        let bytes = metrics.limit("messageBytes")
        _ = metrics.limit("items")
        metrics.counter("messages").increment(by: 5)
        bytes.increment(by: 2)
        metrics.gauge("open").set(7)
        #expect(metrics.limitsHit() == ["messageBytes": 2])
        #expect(metrics.snapshot() == ["limit.items": 0, "limit.messageBytes": 2, "messages": 5, "open": 7])
    }
}
