// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Telemetry
import TestSupport
import Testing

@Suite struct LoggerTests {
    @Test func entriesBelowTheMinimumLevelAreNotEvenMade() {
        let memory = InMemoryLog()
        let log = Logger(label: "cache", minimumLevel: .warning, handler: memory)
        func unexpected() -> LogEntry.Metadata {
            Issue.record("values were taken apart for an entry that is not kept")
            return [:]
        }
        log.log(.trace, "Skipped.", unexpected())
        log.debug("Skipped.", unexpected())
        log.info("Skipped.", unexpected())
        log.notice("Skipped.", unexpected())
        log.warning("Kept.")
        log.error("Kept.")
        #expect(memory.entries.map(\.message) == ["Kept.", "Kept."])
        #expect(memory.entries.map(\.level) == [.warning, .error])
    }

    @Test func addedValuesAreInEachEntryAndThoseOfTheCallWin() {
        let memory = InMemoryLog()
        let log = Logger(label: "cache", metadata: [.instance: "a", .widget: "blog"], handler: memory)
        log.info("Ready.", [.widget: "news"])
        #expect(memory.entries.first?[.instance] == "a")
        #expect(memory.entries.first?[.widget] == "news")
        #expect(memory.entries(saying: "Ready.").count == 1)
    }

    @Test func anErrorIsAValueOfItsEntry() {
        struct Failure: Error, CustomStringConvertible { let description = "disk full" }
        let memory = InMemoryLog()
        Logger(label: "cache", handler: memory).error("Could not commit.", [.cycles: 2], error: Failure())
        #expect(memory.entries.first?[.error] == "disk full")
        #expect(memory.entries.first?[.cycles] == "2")
    }

    @Test func levelsAreOrderedByWeight() {
        #expect(LogLevel.allCases == LogLevel.allCases.sorted())
        #expect(LogLevel.trace < .error)
        #expect(LogLevel(rawValue: "loud") == nil)
    }
}
