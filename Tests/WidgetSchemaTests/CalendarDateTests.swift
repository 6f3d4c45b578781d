// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct CalendarDateTests {
    @Test(arguments: ["1970-01-01", "2000-02-29", "2026-11-21", "0000-01-01", "9999-12-31", "1899-12-31"])
    func aDateIsWrittenAsItWasRead(_ text: String) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.description == text)
        #expect(CalendarDate(daysSince1970: date.daysSince1970) == date)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "2026-01-01T00:00:00Z", "", "+026-01-01",
    ])
    func whatIsNoDayOfTheCalendarIsNoDate(_ text: String) { #expect(CalendarDate(text) == nil) }

    @Test(arguments: [("2026-01-01", 1), ("2026-12-31", 365), ("2024-12-31", 366), ("2024-03-01", 61)])
    func daysOfAYearAreCountedFromOne(text: String, day: Int) throws {
        #expect(try #require(CalendarDate(text)).dayOfYear == day)
    }

    @Test func aYearOfQuotesShowsEachOnce() throws {
        let quotes = QuoteContent(quotes: (1...366).map { Quote(text: "\($0)") })
        let first = try #require(CalendarDate("2024-01-01"))
        let shown = (0..<366).compactMap { quotes.quote(on: first.advanced(byDays: $0))?.text }
        #expect(shown == (1...366).map(String.init))
        let two = QuoteContent(quotes: [Quote(text: "a"), Quote(text: "b")])
        #expect(two.quote(on: first.advanced(byDays: 2))?.text == "a")
        #expect(QuoteContent(quotes: []).quote(on: first) == nil)
    }
}
