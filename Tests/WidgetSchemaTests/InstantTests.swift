// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@Suite struct InstantTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0), ("2025-11-21T00:00:00.000Z", 1_763_683_200_000),
        ("2024-02-29T23:59:59.999Z", 1_709_251_199_999), ("1969-12-31T23:59:59.999Z", -1),
        ("1900-03-01T00:00:00.000Z", -2_203_891_200_000), ("2000-02-29T12:00:00.000Z", 951_825_600_000),
    ])
    func anInstantIsWrittenAndReadAsUTC(_ text: String, _ milliseconds: Int64) {
        #expect(Instant(milliseconds: milliseconds).description == text)
        #expect(Instant(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        ("2025-11-21T01:30:00+01:30", 1_763_683_200_000), ("2025-11-20T16:00:00.5-08:00", 1_763_683_200_500),
        ("2025-11-21T00:00:00.123456789z", 1_763_683_200_123), ("2025-11-21t00:00:00Z", 1_763_683_200_000),
    ])
    func offsetsAndFractionsAreRead(_ text: String, _ milliseconds: Int64) {
        #expect(Instant(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2025-11-21", "2025-11-21T00:00:00", "2025-13-01T00:00:00Z", "2025-11-21T24:00:00Z",
        "2025-11-21T00:00:00.Z", "2025-11-21T00:00:00Z ", "2025-11-21T00:00:00+0100", "x",
    ])
    func anythingElseIsNoInstant(_ text: String) { #expect(Instant(text) == nil) }

    @Test func everyDayOfFourHundredYearsAgreesWithFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: Int64(-40_000), to: 110_000, by: 61) {
            let instant = Instant(milliseconds: day * 86_400_000)
            let parts = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSince1970: Double(day) * 86_400)
            )
            let text = instant.description
            #expect(Int(text.prefix(4)) == parts.year)
            #expect(Int(text.dropFirst(5).prefix(2)) == parts.month)
            #expect(Int(text.dropFirst(8).prefix(2)) == parts.day)
            #expect(Instant(text) == instant)
        }
    }
}
