// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// Functions that read the words around a date.
extension DateCursor {
    /// Skips the words before a date, which are days of the week in any language, and returns them.
    @discardableResult
    mutating func skipLeadingWords() -> [String] {
        var words: [String] = []
        while words.count < WordedDate.maximumLeadingWords {
            guard let word = numberedWeekday() ?? word() else { break }
            words.append(word)
            while skipSeparator(dashes: true) {}
        }
        return words
    }

    /// Reads a day of the week with a number, as in Vietnamese: `T2`, `Thứ 2`; returns nil if none follows.
    mutating func numberedWeekday() -> String? {
        var ahead = self
        guard let word = ahead.word(), word == "t" || word == "thứ" else { return nil }
        if word != "t" { ahead.skipSpaces() }
        guard let number = ahead.number(), number.digits == 1, (2...7).contains(number.value),
            ahead.skip(",") || ahead.skip(" ")
        else { return nil }
        self = ahead
        return word
    }

    /// Skips spaces, commas, and words without a meaning, such as `um` and `Uhr`.
    mutating func skipFillers() {
        while true {
            skipSpaces()
            if skip(",") { continue }
            var ahead = self
            guard let word = ahead.word(), DateWords.isFiller(word) else { return }
            // The dot of an abbreviation.
            _ = ahead.skip(".")
            self = ahead
        }
    }

    /// Skips what may stand between a date and its time: fillers, days of the week, comments and day periods.
    ///
    /// Returns the day period, such as `pm` for `下午`; nil if there is none.
    mutating func skipToTime() -> String? {
        var dayPeriod: String?
        for _ in 0..<WordedDate.maximumLeadingWords {
            skipFillers()
            guard !isAtDigit else { break }
            if comment() != nil { continue }
            guard let word = word() else { break }
            dayPeriod = DateWords.leadingDayPeriod(word) ?? dayPeriod
            _ = skip(".")
        }
        return dayPeriod
    }

    /// Reads `am`, `p.m.`, or a word with this meaning in another language, such as `μ.μ.`; returns `am` or `pm`.
    ///
    /// Returns nil if none of these follows.
    mutating func foreignDayPeriod() -> String? {
        if let dayPeriod = dayPeriod() { return dayPeriod }
        var ahead = self
        guard let first = ahead.word() else { return nil }
        var found = DateWords.dayPeriod(first)
        var end = ahead
        if end.skip("."), let second = end.word(), let both = DateWords.dayPeriod(first + second) {
            _ = end.skip(".")
            (found, ahead) = (both, end)
        }
        if found != nil { self = ahead }
        return found
    }

    /// Reads a time with units, such as `9h05`, `9 Uhr`, `15 h 04 min 05 s` or `9 am`, into `parts`; returns false if no
    /// such time follows.
    ///
    /// Minutes and seconds that a space separates from the word before them count only if `isAfterDate` is true.
    mutating func timeWithUnits(isAfterDate: Bool, into parts: inout DateParts) -> Bool {
        var ahead = self
        guard let hour = ahead.number(), hour.digits <= 2 else { return false }
        ahead.skipSpaces()
        var end = ahead
        if (1...12).contains(hour.value), end.dayPeriod() != nil {
            parts.hour = hour.value
            self = ahead
            return true
        }
        guard let unit = ahead.word(), DateWords.isHourUnit(unit) else { return false }
        parts.hour = hour.value
        self = ahead
        guard let minute = numberOfTime(isAfterDate: isAfterDate) else { return true }
        parts.minute = minute
        if let second = numberOfTime(isAfterDate: isAfterDate) { parts.second = second }
        return true
    }

    /// Reads the number of a time's minutes or seconds with its unit; returns nil if none follows.
    private mutating func numberOfTime(isAfterDate: Bool) -> Int64? {
        var ahead = self
        if isAfterDate { ahead.skipSpaces() }
        guard let number = ahead.number(), number.digits <= 2 else { return nil }
        self = ahead
        ahead.skipSpaces()
        if let unit = ahead.word(), DateWords.isMinuteOrSecondUnit(unit) { self = ahead }
        return number.value
    }

    /// Reads a zone, such as `CET`, `Europe/Berlin` or `Central European Summer Time`; nil if none follows.
    mutating func zone() -> DateZone? {
        var ahead = self
        if let name = ahead.placeName() {
            guard let days = LocalDays(identifier: name) else { return nil }
            self = ahead
            return .place(days)
        }
        let (phrase, end) = phrase()
        if let offset = LongZoneNames.offset(of: phrase.lowercased()) {
            move(to: end)
            return .offset(offset)
        }
        guard let word = ahead.word(), !DateWords.isFiller(word), let offset = FeedDate.zone(word) else { return nil }
        self = ahead
        return .offset(offset)
    }
}
