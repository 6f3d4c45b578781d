// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import CommandLineTool

@Suite struct DemoAppTests {
    @Test(arguments: [
        "2026-11-21T00:49:16Z", "2026-11-21T12:00:00Z", "2026-11-21T11:59:30Z", "2026-11-21T23:59:59Z",
        "2026-11-21T23:58:52Z", "2026-11-21T00:00:00Z",
    ])
    func itIsMidnightInTheDemosZoneWithinAMinuteAndNotAtOnce(text: String) throws {
        let now = try #require(Instant(text))
        let days = try #require(LocalDays(identifier: DemoClock.timeZone(at: now)))
        let wait = days.nextMidnight(after: now).milliseconds(since: now)
        #expect(wait >= DemoClock.start)
        #expect(wait <= 60_000 + DemoClock.start)
    }

    @Test func theAppOpensOneDocumentAfterTheOtherAndTapsInBetween() {
        let start = ContinuousClock.now
        var app = DemoApp(start: start)
        var opened: [String] = []
        for step in 0..<20 {
            let scene = app.play(at: app.next, date: Instant(milliseconds: 1_763_683_200_000))
            #expect(app.next == start + DemoApp.pause * (step + 1))
            guard case .opens(let documents) = scene else {
                #expect(!step.isMultiple(of: 2))
                continue
            }
            #expect(Content.documents(documents).faults == [])
            opened.append(documents.documents.first?.title ?? "")
        }
        #expect(opened.count == 10)
        #expect(zip(opened, opened.dropFirst()).allSatisfy { $0 != $1 })
    }
}
