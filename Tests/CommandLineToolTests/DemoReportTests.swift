// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import MessageBus
import TestSupport
import Testing
import WidgetSchema

@testable import CommandLineTool

@Suite struct DemoReportTests {
    private func message(_ result: UpdateResult, _ reason: Reason) throws -> BusMessage {
        let id = try #require(WidgetID(rawValue: "blog"))
        let update = Update.sample(result, reason) { $0.summary = "A post" }
        let time = Instant(milliseconds: 0)
        let event = Event(.update(result, id), widget: id, range: SequenceRange(7), time: time, data: update)
        return BusMessage(topic: Topic.update(result, id), frames: [try WireJSON.encode(event)])
    }

    @Test func theFirstVerdictOnContentHasItsTimeAndTheEndHasTheCounts() throws {
        let start = ContinuousClock.now
        var report = DemoReport(Terminal(columns: 80, style: .plain), start: start)
        #expect(try report.text(message(.noData, .missing)).isEmpty)
        let first = try report.text(message(.newData, .firstContent), now: start + .milliseconds(1_640))
        #expect(first.hasSuffix("A post\nFirst verdict: 1.6 s after the start of the demo.\n"))
        #expect(try !report.text(message(.failed, .transient)).contains("First verdict"))
        let end = report.closing(executable: "tidings", now: start + .seconds(20))
        let counts = "The demo ran for 20 s: 2 verdicts, of which 1 was a change that somebody sees, and 1 failure."
        #expect(end.replacing("\n", with: " ").contains(counts))
        // A clone has a `tidings.yml`, which `init` does not overwrite.
        #expect(end.replacing("\n", with: " ").contains("'tidings init --output my.yml'"))
        for line in end.split(separator: "\n") { #expect(line.count <= 80) }
    }
}
