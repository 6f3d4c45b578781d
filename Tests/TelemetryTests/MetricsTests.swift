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
                    metrics.gauge("open").set(8)
                }
            }
        }
        #expect(metrics.reading().counters == ["messages": 8_000])
        #expect(metrics.reading().gauges == ["open": 8])
    }

    @Test func aLimitIsReportedOnlyOnceItWasHit() {
        let metrics = Metrics()
        let bytes = metrics.limit("messageBytes")
        _ = metrics.limit("items")
        metrics.counter("messages").increment(by: 5)
        bytes.increment(by: 2)
        metrics.gauge("open").set(7)
        #expect(metrics.limitsHit() == ["messageBytes": 2])
        #expect(metrics.reading().counters == ["limit.items": 0, "limit.messageBytes": 2, "messages": 5])
        #expect(metrics.reading().gauges == ["open": 7])
    }

    @Test func aDurationIsCountedInTheFirstBucketThatHoldsIt() throws {
        let metrics = Metrics()
        metrics.histogram("batch").observe(.milliseconds(1))
        metrics.histogram("batch").observe(.microseconds(1_001))
        metrics.histogram("batch").observe(.seconds(60))
        let reading = try #require(metrics.reading().histograms["batch"])
        #expect(reading.counts == [1, 1, 0, 0, 0, 0, 0, 1])
        #expect(reading.sum == .seconds(60) + .microseconds(2_001))
    }
}
