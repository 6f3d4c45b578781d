// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// The less common forms of dates.
extension FeedDate {
    /// Returns the number of days of a month.
    static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Parses a number of seconds (9 or 10 digits) or milliseconds (13 digits) since 1970.
    static func seconds(_ bytes: [UInt8]) -> Instant? {
        guard [9, 10, 13].contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let number = bytes.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return Instant(milliseconds: bytes.count == 13 ? number : number * 1000)
    }

    /// Parses dates such as `2026-11-21T00:49:16.5+01:00`; returns nil for any other text.
    ///
    /// The zone, the seconds, the whole time, the day and the month may be missing. Dates such as `20261121`,
    /// `20261121004916` and `2026-1-2` are accepted, too. A word may precede a date with dashes, month and day.
    ///
    /// A date without a zone is `offsetMinutes` east of Greenwich.
    static func iso(_ bytes: [UInt8], offsetMinutes: Int64 = 0) -> Instant? {
        var cursor = DateCursor(bytes)
        let hasWords = !cursor.skipLeadingWords().isEmpty
        var parts = DateParts(month: 1, day: 1, offsetMinutes: offsetMinutes)
        guard let year = cursor.number(digits: 4) else { return nil }
        parts.year = year
        let hasDashes = cursor.skip("-")
        if let day = cursor.dayOfYear() {
            guard let date = monthAndDay(day, of: year) else { return nil }
            (parts.month, parts.day) = date
        } else if hasDashes {
            guard let month = cursor.shortNumber() else { return nil }
            parts.month = month
            if cursor.skip("-") {
                guard let day = cursor.shortNumber() else { return nil }
                parts.day = day
            } else if hasWords {
                return nil
            }
        } else if hasWords {
            return nil
        } else if let month = cursor.number(digits: 2) {
            guard let day = cursor.number(digits: 2) else { return nil }
            (parts.month, parts.day) = (month, day)
        }
        guard !cursor.isAtEnd else { return parts.instant }
        var dayPeriod: String?
        if !cursor.skip("T"), !cursor.skip("t") {
            let isSeparated = cursor.skip(" ") || cursor.skip(",") || !hasDashes || cursor.isAtComment
            guard isSeparated else { return nil }
            dayPeriod = cursor.skipToTime()
            // Words after a year alone are no date.
            guard !cursor.isAtEnd else { return hasDashes ? parts.instant : nil }
        }
        guard cursor.compactTimeOfDay(into: &parts) || cursor.timeOfDay(isAfterDate: true, into: &parts) else {
            return nil
        }
        // Some feeds have a colon too many: `00:49:16:-0500`, `00:49:16:00`.
        if cursor.skip(":") { _ = cursor.number(digits: 2) }
        return zoned(&parts, &cursor, dayPeriod)
    }

    /// Reads the optional parts after a time of day: `Uhr`, `pm`, a zone, and comments.
    ///
    /// `dayPeriod` is the day period before the time, if any. Returns the instant of the whole date; nil if anything
    /// else follows.
    private static func zoned(
        _ parts: inout DateParts,
        _ cursor: inout DateCursor,
        _ dayPeriod: String?
    ) -> Instant? {
        cursor.skipSpaces()
        if let dayPeriod = cursor.foreignDayPeriod() ?? dayPeriod, !parts.take(dayPeriod: dayPeriod) { return nil }
        cursor.skipFillers()
        var zone = cursor.zone()
        cursor.skipSpaces()
        // A plus sign may have become a space: `00:49:16 00:00`.
        if let offset = cursor.isAtTimeOfDay ? cursor.unsignedOffset() : cursor.offset() {
            zone = .offset(offset)
            _ = cursor.skip("Z")
        }
        cursor.skipSpaces()
        while let comment = cursor.comment() {
            zone = zone ?? FeedDate.zone(named: comment)
            cursor.skipSpaces()
        }
        return cursor.isAtEnd ? parts.instant(in: zone) : nil
    }

    /// Returns the month and the day of the month for a day of the year; nil if there is no such day.
    private static func monthAndDay(_ day: Int64, of year: Int64) -> (Int64, Int64)? {
        guard day > 0 else { return nil }
        var rest = day
        for month in Int64(1)...12 {
            let length = days(in: month, of: year)
            if rest <= length { return (month, rest) }
            rest -= length
        }
        return nil
    }

    /// Parses a date of three numbers, such as `21.11.2026 00:49`, `11/21/2026`, `21-11-2026` and `2026/11/21`.
    ///
    /// The order of the numbers depends on the first number and the separator:
    ///
    /// - First number with four digits: year, month, day. Dashes are not accepted.
    /// - Dots: day, month, year.
    /// - Slashes: month, day, year; but day, month, year if the first number is greater than 12, or if words of another
    ///   language than English precede.
    /// - Dashes: as with slashes. Because both orders are common, one of the first two numbers must be greater than 12.
    static func numeric(_ bytes: [UInt8]) -> Instant? {
        var cursor = DateCursor(bytes)
        var parts = DateParts()
        let words = cursor.skipLeadingWords()
        // `00:49 21.11.2026`
        let isTimeFirst = cursor.isAtTimeOfDay
        if isTimeFirst {
            guard cursor.timeOfDay(isAfterDate: false, into: &parts) else { return nil }
            cursor.skipFillers()
        }
        guard let first = cursor.number() else { return nil }
        guard let separator = ["/", ".", "-"].first(where: { cursor.skip($0) }) else { return nil }
        // `21. 11. 2026`
        if separator == "." { cursor.skipSpaces() }
        guard let second = cursor.number(), second.digits <= 2, cursor.skip(separator) else { return nil }
        if separator == "." { cursor.skipSpaces() }
        guard let third = cursor.number() else { return nil }
        // With dashes, both orders are common, so the month must be evident.
        if separator == "-", first.digits == 4 || max(first.value, second.value) <= 12 { return nil }
        if first.digits == 4 {
            (parts.year, parts.month, parts.day) = (first.value, second.value, third.value)
        } else {
            parts.year = year(third.value, digits: third.digits)
            let isEnglish = words.isEmpty || words.contains(where: DateWords.isEnglish)
            let isMonthFirst = separator != "." && first.value <= 12 && (isEnglish || second.value > 12)
            parts.month = isMonthFirst ? first.value : second.value
            parts.day = isMonthFirst ? second.value : first.value
        }
        if separator == "." { _ = cursor.skip(".") }
        let dayPeriod = isTimeFirst ? nil : cursor.skipToTime()
        guard !cursor.isAtEnd else { return parts.instant }
        guard isTimeFirst || cursor.timeOfDay(isAfterDate: true, into: &parts) else { return nil }
        return zoned(&parts, &cursor, dayPeriod)
    }

    /// Returns the full year for a year that is written with `digits` digits (RFC 5322, section 4.3).
    ///
    /// One or two digits mean a year from 1950 to 2049. To a number of three digits, 1900 is added. Other numbers are
    /// the full year.
    static func year(_ number: Int64, digits: Int) -> Int64 {
        switch digits {
        case 0...2: number < 50 ? 2000 + number : 1900 + number
        case 3: 1900 + number
        default: number
        }
    }
}
