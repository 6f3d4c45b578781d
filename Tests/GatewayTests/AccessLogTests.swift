// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Telemetry
import TestSupport
import Testing

@testable import Gateway

@Suite struct AccessLogTests {
    @Test func aFloodWritesNoMoreLinesThanTheLimitAndSaysHowManyAreMissing() throws {
        let memory = InMemoryLog()
        let metrics = Metrics()
        let now = ContinuousClock.now
        let log = AccessLog(isOn: true, log: Logger(label: "test", handler: memory), metrics: metrics, now: now)
        for _ in 0..<(AccessLog.linesPerSecond + 30) { log.write([.status: 200], now: now) }
        #expect(memory.entries.count == AccessLog.linesPerSecond)
        #expect(metrics.limit("gateway.accessLogLines").value == 30)
        log.write([.status: 200], now: now + .seconds(1))
        let summary = try #require(memory.entries.dropLast().last)
        #expect(summary[.dropped] == "30")
        #expect(memory.entries.count == AccessLog.linesPerSecond + 2)
    }

    @Test func withoutAnAccessLogNothingIsWritten() {
        let memory = InMemoryLog()
        let log = AccessLog(isOn: false, log: Logger(label: "test", handler: memory), metrics: Metrics())
        log.write([.status: 200])
        #expect(memory.entries.isEmpty)
    }
}
