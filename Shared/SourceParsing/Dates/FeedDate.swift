// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A parser for the dates in feeds.
///
/// It accepts the forms of RFC 822 with its successors, of RFC 3339, of RFC 850 and of `asctime`. It also accepts the
/// shorter forms of ISO 8601, and dates with words of several languages.
public enum FeedDate {
    /// The maximum length of a date in bytes.
    private static let maximumBytes = 128

    /// Returns the instant of a date; nil if the text is ambiguous or not a date.
    ///
    /// Without a zone, the date is in UTC; without a time of day, it is midnight.
    public static func parse(_ text: String) -> Instant? {
        if let usual = PlainText.withBytes(of: text, usual) { return usual }
        let text = PlainText.trimmed(text)
        guard text.utf8.count <= maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        return seconds(bytes) ?? iso(bytes) ?? internet(bytes) ?? numeric(bytes) ?? eastAsian(text)
    }

    // MARK: - The two common forms

    /// Parses `Sat, 21 Nov 2026 00:49:16 +0000` and `2026-11-21T00:49:16Z` in exactly these forms, which nearly all
    /// feeds use; returns nil for any other form.
    private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard bytes.count >= 20, bytes.count <= 40 else { return nil }
        return bytes[3] == UInt8(ascii: ",") ? usualInternet(bytes) : usualISO(bytes)
    }

    private static func usualInternet(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        // If the day has only one digit, everything after it begins one byte earlier.
        let shift = bytes.count > 6 && bytes[6] == 32 ? 1 : 0
        // A zone follows `Sat, 21 Nov 2026 00:49:16 `.
        guard bytes.count > 26 - shift, isEnglishWeekday(bytes), bytes[4] == 32,
            let day = number(bytes, 5, 7 - shift), bytes[7 - shift] == 32,
            let month = englishMonth(bytes, 8 - shift), bytes[11 - shift] == 32,
            let year = number(bytes, 12 - shift, 16 - shift), bytes[16 - shift] == 32,
            let hour = number(bytes, 17 - shift, 19 - shift), bytes[19 - shift] == UInt8(ascii: ":"),
            let minute = number(bytes, 20 - shift, 22 - shift), bytes[22 - shift] == UInt8(ascii: ":"),
            let second = number(bytes, 23 - shift, 25 - shift), bytes[25 - shift] == 32
        else { return nil }
        var parts = DateParts(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        let zone = bytes[(26 - shift)...]
        let start = zone.startIndex
        switch zone.count {
        case 3 where zone.elementsEqual("GMT".utf8) || zone.elementsEqual("UTC".utf8): break
        case 5:
            guard let hours = number(bytes, start + 1, start + 3), let minutes = number(bytes, start + 3, start + 5),
                let sign = sign(bytes[start])
            else { return nil }
            parts.offsetMinutes = sign * (hours * 60 + minutes)
        default: return nil
        }
        return parts.instant
    }

    private static func usualISO(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard let year = number(bytes, 0, 4), bytes[4] == UInt8(ascii: "-"), let month = number(bytes, 5, 7),
            bytes[7] == UInt8(ascii: "-"), let day = number(bytes, 8, 10), bytes[10] == UInt8(ascii: "T"),
            let hour = number(bytes, 11, 13), bytes[13] == UInt8(ascii: ":"), let minute = number(bytes, 14, 16),
            bytes[16] == UInt8(ascii: ":"), let second = number(bytes, 17, 19)
        else { return nil }
        var parts = DateParts(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        var next = 19
        if bytes[next] == UInt8(ascii: ".") {
            var scale: Int64 = 100
            next += 1
            while next < bytes.count, let digit = number(bytes, next, next + 1) {
                parts.milliseconds += digit * scale
                scale /= 10
                next += 1
            }
            guard next > 20, next < bytes.count else { return nil }
        }
        if bytes[next] == UInt8(ascii: "Z") { return next + 1 == bytes.count ? parts.instant : nil }
        guard next + 6 == bytes.count, let sign = sign(bytes[next]), let hours = number(bytes, next + 1, next + 3),
            bytes[next + 3] == UInt8(ascii: ":"), let minutes = number(bytes, next + 4, next + 6)
        else { return nil }
        parts.offsetMinutes = sign * (hours * 60 + minutes)
        return parts.instant
    }

    /// Returns the number in the bytes from `start` to `end - 1`; nil if a byte is missing or not a digit.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int64? {
        guard end <= bytes.count else { return nil }
        var value: Int64 = 0
        for index in start..<end {
            let digit = bytes[index] &- 48
            guard digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }

    private static func sign(_ byte: UInt8) -> Int64? {
        byte == UInt8(ascii: "+") ? 1 : byte == UInt8(ascii: "-") ? -1 : nil
    }

    /// Returns the three letters at `start` as one number, for comparisons that ignore the case of the letters.
    ///
    /// The number consists of the ASCII codes of the letters in lower case; the last letter is in the lowest byte.
    private static func triple(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> UInt32 {
        (UInt32(bytes[start]) << 16 | UInt32(bytes[start + 1]) << 8 | UInt32(bytes[start + 2])) | 0x20_2020
    }

    private static func isEnglishWeekday(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch triple(bytes, 0) {
        case 0x6d_6f6e, 0x74_7565, 0x77_6564, 0x74_6875, 0x66_7269, 0x73_6174, 0x73_756e: true
        default: false
        }
    }

    private static func englishMonth(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int64? {
        switch triple(bytes, start) {
        case 0x6a_616e: 1
        case 0x66_6562: 2
        case 0x6d_6172: 3
        case 0x61_7072: 4
        case 0x6d_6179: 5
        case 0x6a_756e: 6
        case 0x6a_756c: 7
        case 0x61_7567: 8
        case 0x73_6570: 9
        case 0x6f_6374: 10
        case 0x6e_6f76: 11
        case 0x64_6563: 12
        default: nil
        }
    }

    // MARK: - Other forms

    /// Returns the number of days of a month.
    static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Parses a number of seconds (9 or 10 digits) or milliseconds (13 digits) since 1970.
    private static func seconds(_ bytes: [UInt8]) -> Instant? {
        guard [9, 10, 13].contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let number = bytes.reduce(Int64(0)) { $0 * 10 + Int64($1 - 48) }
        return Instant(milliseconds: bytes.count == 13 ? number : number * 1000)
    }

    /// Parses dates such as `2026-11-21T00:49:16.5+01:00`; returns nil for any other text.
    ///
    /// The zone, the seconds, the whole time, the day and the month may be missing. Dates such as `20261121`,
    /// `20261121004916` and `2026-1-2` are accepted, too.
    private static func iso(_ bytes: [UInt8]) -> Instant? {
        var cursor = DateCursor(bytes)
        var parts = DateParts(month: 1, day: 1)
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
            }
        } else if let month = cursor.number(digits: 2) {
            guard let day = cursor.number(digits: 2) else { return nil }
            (parts.month, parts.day) = (month, day)
        }
        guard !cursor.isAtEnd else { return parts.instant }
        guard cursor.skip("T") || cursor.skip("t") || cursor.skip(" ") || !hasDashes else { return nil }
        cursor.skipSpaces()
        guard cursor.compactTimeOfDay(into: &parts) || cursor.timeOfDay(into: &parts) else { return nil }
        // Some feeds have a colon too many: `00:49:16:-0500`, `00:49:16:00`.
        if cursor.skip(":") { _ = cursor.number(digits: 2) }
        return takeZone(from: &cursor, into: &parts) ? parts.instant : nil
    }

    /// Reads the optional parts after a time of day: `pm`, a zone, and comments.
    ///
    /// Returns false if anything else follows.
    private static func takeZone(from cursor: inout DateCursor, into parts: inout DateParts) -> Bool {
        cursor.skipSpaces()
        if let dayPeriod = cursor.dayPeriod(), !takeDayPeriod(dayPeriod, into: &parts) { return false }
        cursor.skipSpaces()
        if let word = cursor.word() {
            guard let offset = zone(word) else { return false }
            parts.offsetMinutes = offset
            cursor.skipSpaces()
        }
        // A plus sign may have become a space: `00:49:16 00:00`.
        if let offset = cursor.isAtTimeOfDay ? cursor.unsignedOffset() : cursor.offset() {
            parts.offsetMinutes = offset
            _ = cursor.skip("Z")
        }
        repeat { cursor.skipSpaces() } while cursor.comment() != nil
        return cursor.isAtEnd
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
    /// - Slashes: month, day, year; but day, month, year if the first number is greater than 12.
    /// - Dashes: as with slashes. Because both orders are common, one of the first two numbers must be greater than 12.
    private static func numeric(_ bytes: [UInt8]) -> Instant? {
        var cursor = DateCursor(bytes)
        var parts = DateParts()
        // A weekday may precede the date.
        if let word = cursor.word(), !DateWords.isWeekday(word) { return nil }
        while cursor.skip(",") || cursor.skip(" ") {}
        // `00:49 21.11.2026`
        let isTimeFirst = cursor.isAtTimeOfDay
        if isTimeFirst {
            guard cursor.timeOfDay(into: &parts) else { return nil }
            while cursor.skip(",") || cursor.skip(" ") {}
        }
        guard let first = cursor.number() else { return nil }
        guard let separator = ["/", ".", "-"].first(where: { cursor.skip($0) }), let second = cursor.number(),
            second.digits <= 2, cursor.skip(separator), let third = cursor.number()
        else { return nil }
        // With dashes, both orders are common, so the month must be evident.
        if separator == "-", first.digits == 4 || max(first.value, second.value) <= 12 { return nil }
        if first.digits == 4 {
            (parts.year, parts.month, parts.day) = (first.value, second.value, third.value)
        } else {
            parts.year = year(third.value, digits: third.digits)
            let isMonthFirst = separator != "." && first.value <= 12
            parts.month = isMonthFirst ? first.value : second.value
            parts.day = isMonthFirst ? second.value : first.value
        }
        while cursor.skip(",") || cursor.skip(" ") {}
        guard !cursor.isAtEnd else { return parts.instant }
        guard isTimeFirst || cursor.timeOfDay(into: &parts) else { return nil }
        return takeZone(from: &cursor, into: &parts) ? parts.instant : nil
    }

    /// Parses `2004년 5월 28일 오후 11:31:58` and `2004年5月28日 23時31分`, in which the unit follows each number.
    ///
    /// A date in Korean is in Korea's zone, any other date in UTC.
    private static func eastAsian(_ text: String) -> Instant? {
        guard let year = text.first(where: { "년年".contains($0) }) else { return nil }
        var parts = DateParts()
        parts.offsetMinutes = year == "년" ? 9 * 60 : 0
        let isAfternoon = ["오후", "午後", "下午"].contains { text.contains($0) }
        var clock: [Int64] = []
        var number: Int64?
        for character in text + " " {
            if let digit = character.wholeNumberValue, character.isASCII {
                guard number ?? 0 < 10_000 else { return nil }
                number = (number ?? 0) * 10 + Int64(digit)
                continue
            }
            guard let value = number else { continue }
            number = nil
            switch character {
            case "년", "年": parts.year = value
            case "월", "月": parts.month = value
            case "일", "日": parts.day = value
            case ":", " ", "시", "時", "时", "분", "分", "초", "秒": clock.append(value)
            default: return nil
            }
        }
        guard clock.count <= 3 else { return nil }
        for (part, value) in zip([\DateParts.hour, \.minute, \.second], clock) { parts[keyPath: part] = value }
        if isAfternoon, parts.hour < 12 { parts.hour += 12 }
        return parts.instant
    }

    /// Applies `am` or `pm` to the hour; returns false if the hour contradicts `dayPeriod`.
    ///
    /// Hours from 13 to 23 may have `pm`, because some feeds add it to hours of the 24-hour clock.
    private static func takeDayPeriod(_ dayPeriod: String, into parts: inout DateParts) -> Bool {
        switch (parts.hour, dayPeriod) {
        case (13...23, "pm"), (0, "am"): return true
        case (1...12, _):
            parts.hour = parts.hour % 12 + (dayPeriod == "pm" ? 12 : 0)
            return true
        default: return false
        }
    }

    /// Parses `Sat, 21 Nov 2026 00:49:16 GMT` in any unambiguous order: the month is a word, and the time has colons.
    private static func internet(_ bytes: [UInt8]) -> Instant? {
        var cursor = DateCursor(bytes)
        var parts = DateParts()
        var hasTime = false
        var hasZone = false
        var ambiguous: Int64?
        while !cursor.isAtEnd {
            if let comment = cursor.comment() {
                // The comment names the zone only if nothing else does.
                if !hasZone, let offset = zone(comment) { parts.offsetMinutes = offset }
                continue
            }
            if cursor.skipSeparator(dashes: !hasTime) { continue }
            if let dayPeriod = cursor.dayPeriod() {
                // Before the time, `am` is German for "on".
                guard !hasTime || takeDayPeriod(dayPeriod, into: &parts) else { return nil }
            } else if let word = cursor.word() {
                // A word may be both a month and a weekday: `mar` is March, but also Tuesday in French.
                if parts.month == nil, let month = DateWords.month(word), parts.day != nil || !DateWords.isWeekday(word)
                {
                    parts.month = month
                } else if DateWords.isWeekday(word) || DateWords.isFiller(word) {
                    if parts.month == nil, let month = DateWords.month(word) { ambiguous = ambiguous ?? month }
                    continue
                } else if let offset = zone(word) {
                    parts.offsetMinutes = offset
                    hasZone = true
                } else {
                    return nil
                }
            } else if hasTime, cursor.isAtSign {
                // `GMT+0200` means two hours east of Greenwich.
                guard let offset = cursor.offset() else { return nil }
                parts.offsetMinutes = offset
                hasZone = true
            } else if !hasTime, cursor.isAtTimeOfDay {
                guard cursor.timeOfDay(into: &parts) else { return nil }
                hasTime = true
            } else {
                guard let (number, digits) = cursor.number() else { return nil }
                if parts.day == nil, digits <= 2 {
                    parts.day = number
                } else if parts.year == nil {
                    parts.year = year(number, digits: digits)
                } else if parts.day == nil {
                    parts.day = number
                } else {
                    return nil
                }
            }
        }
        parts.month = parts.month ?? ambiguous
        return parts.instant
    }

    /// Returns the full year for a year that is written with `digits` digits (RFC 5322, section 4.3).
    ///
    /// One or two digits mean a year from 1950 to 2049. To a number of three digits, 1900 is added. Other numbers are
    /// the full year.
    private static func year(_ number: Int64, digits: Int) -> Int64 {
        switch digits {
        case 0...2: number < 50 ? 2000 + number : 1900 + number
        case 3: 1900 + number
        default: number
        }
    }
}
