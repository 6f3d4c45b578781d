// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// A parser for dates in any unambiguous order whose month is a word, such as `Sat, 21 Nov 2026 00:49:16 GMT`.
///
/// The words before the date are days of the week in any language, unless one of them is a month.
struct WordedDate {
    /// The maximum number of words before a date.
    static let maximumLeadingWords = 6
    /// The number of years by which the Thai calendar is ahead.
    private static let buddhistYears: Int64 = 543
    /// The year after which a year in a date in Thai counts from Buddha's death.
    private static let earliestBuddhistYear: Int64 = 2400

    private var cursor: DateCursor
    private var parts = DateParts()
    /// The month that a word before the date names; it may also be a day of the week.
    ///
    /// For example, `mar` is March, but also Tuesday in French.
    private var earlyMonth: Int64?
    private var hasTime = false
    private var zone: DateZone?
    /// The zone in a comment, which counts only if no other zone follows.
    private var commentZone: DateZone?
    private var leadingWords = 0
    /// A Boolean value that indicates whether the month is written in Thai; the year may count from Buddha's death.
    private var isThai = false
    /// The day period before the time, such as `pm` for `下午`.
    private var dayPeriod: String?

    /// Returns the instant of a date in simple characters; see ``DateText``.
    static func parse(_ bytes: [UInt8]) -> Instant? {
        var date = WordedDate(cursor: DateCursor(bytes))
        return date.read()
    }

    private init(cursor: DateCursor) { self.cursor = cursor }

    /// A Boolean value that indicates whether no number of the date was read so far.
    private var isBeforeDate: Bool { parts.day == nil && parts.year == nil }

    private mutating func read() -> Instant? {
        _ = cursor.numberedWeekday()
        while !cursor.isAtEnd {
            if let comment = cursor.comment() {
                commentZone = commentZone ?? FeedDate.zone(named: comment)
                continue
            }
            // The dots of a time are not separators.
            let isAtTime = isAtTime
            if !isAtTime, cursor.skipSeparator(dashes: !hasTime) { continue }
            guard isAtTime ? takeTime() : takePart() else { return nil }
        }
        parts.month = parts.month ?? earlyMonth
        if isThai, let year = parts.year, year > Self.earliestBuddhistYear {
            parts.year = year - Self.buddhistYears
        }
        return parts.instant(in: zone ?? commentZone)
    }

    private var isAtTime: Bool {
        guard !hasTime else { return false }
        if cursor.isAtTimeOfDay { return true }
        let hasDate = parts.day != nil && parts.year != nil && (parts.month ?? earlyMonth) != nil
        return hasDate && cursor.isAtTimeWithDots
    }

    private mutating func takeTime() -> Bool {
        hasTime = true
        guard cursor.timeOfDay(isAfterDate: !isBeforeDate, into: &parts) else { return false }
        return dayPeriod.map { parts.take(dayPeriod: $0) } ?? true
    }

    /// Reads a word, a number or an offset; returns false if the text is not a date.
    private mutating func takePart() -> Bool {
        // Before the time, `am` is German for "on".
        if !hasTime, cursor.dayPeriod() != nil { return true }
        if hasTime, dayPeriod == nil, let found = cursor.foreignDayPeriod() {
            dayPeriod = found
            return parts.take(dayPeriod: found)
        }
        if hasTime, zone == nil, let found = cursor.zone() {
            zone = found
            return true
        }
        if let word = cursor.word() { return take(word) }
        if hasTime, cursor.isAtSign {
            // `GMT+0200` means two hours east of Greenwich.
            guard let offset = cursor.offset() else { return false }
            zone = .offset(offset)
            return true
        }
        return takeNumber()
    }

    private mutating func take(_ word: String) -> Bool {
        if let month = month(word) {
            isThai = isThai || word.unicodeScalars.contains { (0xe00...0xe7f).contains($0.value) }
            if isBeforeDate {
                earlyMonth = month
                return true
            }
            // Some languages have two names for a month: `5 تموز/يوليو 2026`.
            guard parts.month == nil else { return parts.month == month || DateWords.isWeekday(word) }
            parts.month = month
            return true
        }
        if DateWords.announcesMonth(word), takeAnnouncedNumber() { return true }
        if !hasTime, let found = DateWords.leadingDayPeriod(word) {
            dayPeriod = found
            return true
        }
        if DateWords.isWeekday(word) || DateWords.isFiller(word) { return true }
        // A zone may precede the time. After an offset, its name has no further meaning: `+0200 CEST`.
        if !isBeforeDate, let offset = FeedDate.zone(word) {
            zone = zone ?? .offset(offset)
            return true
        }
        leadingWords += 1
        return isBeforeDate && leadingWords <= Self.maximumLeadingWords
    }

    /// Returns the month that a word names, together with the words that follow it.
    ///
    /// The longest name counts, because some names are the beginnings of others.
    private mutating func month(_ word: String) -> Int64? {
        var name = word
        var found = DateWords.month(word)
        var ahead = cursor
        for _ in 1..<DateWords.maximumMonthWords {
            guard ahead.skip(" "), let next = ahead.word() else { break }
            name += "_" + next
            guard let month = DateWords.month(name) else { continue }
            found = month
            cursor = ahead
        }
        return found
    }

    /// Reads the number of a month after a word such as `tháng`; returns false if there is none.
    ///
    /// In Vietnamese, such a word before the date may also begin the name of a day of the week: `Th 2`.
    private mutating func takeAnnouncedNumber() -> Bool {
        var ahead = cursor
        ahead.skipSpaces()
        guard !ahead.isAtTimeOfDay, let number = ahead.shortNumber(), (1...12).contains(number) else { return false }
        cursor = ahead
        return take(month: number)
    }

    /// Takes the number of a month; returns false if the month is already known.
    private mutating func take(month: Int64) -> Bool {
        if isBeforeDate {
            earlyMonth = month
        } else {
            guard parts.month == nil else { return false }
            parts.month = month
        }
        return true
    }

    private mutating func takeNumber() -> Bool {
        guard let (number, digits) = cursor.number() else { return false }
        var ahead = cursor
        if digits <= 2, let unit = ahead.word(), DateWords.isMonthUnit(unit) {
            // `05 7月 2026`
            cursor = ahead
            return (1...12).contains(number) && take(month: number)
        }
        if parts.day == nil, digits <= 2 {
            parts.day = number
        } else if parts.year == nil {
            parts.year = year(number, digits: digits)
        } else if parts.day == nil {
            parts.day = number
        } else {
            return false
        }
        return true
    }

    /// Returns the full year; two digits in Thai count from Buddha's death: `5 ก.ค. 69` is 2026.
    private func year(_ number: Int64, digits: Int) -> Int64 {
        digits == 2 && isThai ? 2500 + number : FeedDate.year(number, digits: digits)
    }
}
