// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct LocalDaysTests {
    @Test(arguments: [
        ("Europe/Berlin", "2026-11-21T00:49:16Z", "2026-11-21T23:00:00Z"),
        // A day of 23 hours, and one of 25.
        ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
        // At midnight itself the next one is a day away.
        ("UTC", "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"),
        ("UTC", "2026-11-20T23:59:59.999Z", "2026-11-21T00:00:00Z"),
        ("Asia/Kathmandu", "2026-11-21T18:14:59Z", "2026-11-21T18:15:00Z"),
        ("Pacific/Kiritimati", "2026-11-21T09:00:00Z", "2026-11-21T10:00:00Z"),
        // The clocks went from 23:59:59 to 01:00:00.
        ("America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-04T03:00:00Z"),
        ("Asia/Beirut", "2019-03-30T12:00:00Z", "2019-03-30T22:00:00Z"),
        // The clocks went from 23:59:59 back to 23:00:00: the day is 25 hours long.
        ("America/Sao_Paulo", "2018-02-17T12:00:00Z", "2018-02-18T03:00:00Z"),
        // Samoa had no 30 December in 2011.
        ("Pacific/Apia", "2011-12-29T20:00:00Z", "2011-12-30T10:00:00Z"),
    ])
    func theNextDayBeginsWhenTheWallShowsIt(zone: String, now: String, midnight: String) throws {
        let days = try #require(LocalDays(identifier: zone))
        let start = try #require(Instant(now))
        let next = days.nextMidnight(after: start)
        #expect(next == Instant(midnight))
        #expect(days.date(at: next) > days.date(at: start))
        #expect(days.date(at: next.advanced(byMilliseconds: -1)) == days.date(at: start))
    }

    @Test func everyMidnightOfAYearBeginsALaterDay() throws {
        for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "America/Santiago"] {
            let days = try #require(LocalDays(identifier: zone))
            var now = try #require(Instant("2025-12-31T23:59:00Z"))
            for _ in 0..<370 {
                let next = days.nextMidnight(after: now)
                #expect(days.date(at: next) == days.date(at: now).advanced(byDays: 1), "\(zone) after \(now)")
                now = next
            }
        }
    }

    @Test func aZoneThatDoesNotExistHasNoDays() { #expect(LocalDays(identifier: "Europe/Atlantis") == nil) }
}
