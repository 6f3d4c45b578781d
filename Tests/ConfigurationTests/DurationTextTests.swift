// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import Configuration

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("500ms", 500), ("0s", 0), ("30s", 30_000), ("5m", 300_000), ("2h", 7_200_000), ("1d", 86_400_000),
    ])
    func numbersWithAUnitAreDurations(text: String, milliseconds: Int) {
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
        #expect(DurationText.text(.milliseconds(milliseconds)) == text)
    }

    @Test(arguments: ["", "5", "m", "5 m", "-5m", "1.5h", "5M", "5min", "٥m", "9223372036854775807d", "1h30m"])
    func anythingElseIsNone(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
