// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Telemetry

@Suite struct ThrottledLogTests {
    private let memory = InMemoryLog()

    private func entry(_ message: String, at seconds: Double, level: LogLevel = .warning) -> LogEntry {
        LogEntry(time: Date(timeIntervalSince1970: 1_000_000 + seconds), level: level, label: "cache", message: message)
    }

    @Test func ofAHundredThousandEqualWarningsABurstIsWrittenAndTheRestIsCounted() {
        let log = ThrottledLog(memory, burst: 5, interval: .seconds(10))
        for number in 0..<100_000 { log.write(entry("Dropped a malformed message.", at: Double(number) / 20_000)) }
        #expect(memory.entries.count == 5)
        log.write(entry("Dropped a malformed message.", at: 10))
        #expect(memory.entries.count == 6)
        #expect(memory.entries.last?[.dropped] == "99995")
    }

    @Test func anotherSentenceIsWrittenAtOnceAndBringsTheSummaryOfWhatWasDropped() {
        let log = ThrottledLog(memory, burst: 1, interval: .seconds(10))
        for _ in 0..<3 { log.write(entry("One.", at: 0)) }
        log.write(entry("Two.", at: 1))
        #expect(memory.entries.map(\.message) == ["One.", "Two."])
        log.write(entry("Two.", at: 11))
        #expect(memory.entries.map(\.message) == ["One.", "Two.", "Two.", "Repeated log entries were dropped."])
        #expect(memory.entries.last?[.dropped] == "2")
        #expect(memory.entries.last?[.reason] == "One.")
    }

    @Test func whatIsNoWarningIsNeverDropped() {
        let log = ThrottledLog(memory, burst: 1, interval: .seconds(10))
        for _ in 0..<100 { log.write(entry("Ready.", at: 0, level: .info)) }
        #expect(memory.entries.count == 100)
    }

    @Test func aClockThatWasSetBackDoesNotSilenceTheLog() {
        let log = ThrottledLog(memory, burst: 1, interval: .seconds(10))
        log.write(entry("One.", at: 0))
        log.write(entry("One.", at: -3600))
        #expect(memory.entries.count == 2)
    }
}
