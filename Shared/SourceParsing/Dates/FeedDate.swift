// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A parser for the dates in feeds: RFC 822 and its successors, RFC 3339 and ISO 8601's shorter forms, RFC 850,
/// asctime, and dates in the words of several languages.
public enum FeedDate {
    /// The maximum length of a date.
    private static let maximumBytes = 128

    /// Returns the instant of a date; nil if the text is ambiguous or not a date.
    ///
    /// Without a zone, the date is in UTC; without a time of day, it is midnight.
    public static func parse(_ text: String) -> Instant? {
        if let usual = PlainText.withBytes(of: text, usual) { return usual }
        let text = PlainText.trimmed(text)
        guard text.utf8.count <= maximumBytes else { return nil }
        let bytes = Array(text.utf8)
        return iso(bytes) ?? internet(bytes) ?? numeric(bytes) ?? korean(text)
    }

    // MARK: - The two common forms

    /// Parses `Sat, 21 Nov 2026 00:49:16 +0000` and `2026-11-21T00:49:16Z` in exactly these forms, which nearly all
    /// feeds use; returns nil for any other form.
    private static func usual(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        guard bytes.count >= 20, bytes.count <= 40 else { return nil }
        return bytes[3] == UInt8(ascii: ",") ? usualInternet(bytes) : usualISO(bytes)
    }

    private static func usualInternet(_ bytes: UnsafeBufferPointer<UInt8>) -> Instant? {
        // The day has one or two digits.
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
        var parts = Parts(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
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
        var parts = Parts(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
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

    /// Returns the number in these bytes; nil if one of them is not a digit.
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

    /// Returns the three bytes in lower case as one number.
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

    // MARK: - Parts

    /// The parts of a date, which are validated when they are combined.
    private struct Parts {
        var year: Int64?
        var month: Int64?
        var day: Int64?
        var hour: Int64 = 0
        var minute: Int64 = 0
        var second: Int64 = 0
        var milliseconds: Int64 = 0
        var offsetMinutes: Int64 = 0

        var instant: Instant? {
            guard let year, (1...9999).contains(year), let month, (1...12).contains(month), let day,
                (1...FeedDate.days(in: month, of: year)).contains(day), hour <= 24, minute < 60, second <= 60,
                hour < 24 || (minute == 0 && second == 0), (-12 * 60...14 * 60).contains(offsetMinutes)
            else { return nil }
            let seconds = hour * 3600 + (minute - offsetMinutes) * 60 + second
            return Instant(year: year, month: month, day: day, millisecondsOfDay: seconds * 1000 + milliseconds)
        }
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Parses `2026-11-21T00:49:16.5+01:00` and shorter forms: without zone, seconds, time, day or month; also
    /// `20261121`.
    private static func iso(_ bytes: [UInt8]) -> Instant? {
        var cursor = ByteCursor(bytes)
        var parts = Parts(month: 1, day: 1)
        guard let year = cursor.number(digits: 4) else { return nil }
        parts.year = year
        let hasDashes = cursor.skip("-")
        if let day = cursor.dayOfYear() {
            guard let date = monthAndDay(day, of: year) else { return nil }
            (parts.month, parts.day) = date
        } else if let month = cursor.number(digits: 2) {
            parts.month = month
            if !hasDashes || cursor.skip("-") {
                guard let day = cursor.number(digits: 2) else { return nil }
                parts.day = day
            }
        } else if hasDashes {
            return nil
        }
        guard !cursor.isAtEnd else { return parts.instant }
        guard cursor.skip("T") || cursor.skip("t") || cursor.skip(" ") else { return nil }
        cursor.skipSpaces()
        guard cursor.compactTimeOfDay(into: &parts) || cursor.timeOfDay(into: &parts) else { return nil }
        cursor.skipSpaces()
        if cursor.isAtEnd { return parts.instant }
        guard let offset = cursor.offset() ?? cursor.zoneName().flatMap(zone) else { return nil }
        parts.offsetMinutes = offset
        cursor.skipSpaces()
        return cursor.isAtEnd ? parts.instant : nil
    }

    /// Returns the month and the day for a day of the year.
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

    /// Parses `21.11.2026 00:49`, `11/21/2026` and `2026/11/21`: with dots the day comes first; with slashes the month
    /// comes first, unless its number is too large.
    private static func numeric(_ bytes: [UInt8]) -> Instant? {
        var cursor = ByteCursor(bytes)
        var parts = Parts()
        // A weekday may precede it.
        if let word = cursor.word(), !DateWords.isWeekday(word) { return nil }
        while cursor.skip(",") || cursor.skip(" ") {}
        guard let first = cursor.number() else { return nil }
        let hasSlashes = cursor.skip("/")
        guard hasSlashes || cursor.skip("."), let second = cursor.number(), second.digits <= 2,
            cursor.skip(hasSlashes ? "/" : "."), let third = cursor.number()
        else { return nil }
        if first.digits == 4 {
            (parts.year, parts.month, parts.day) = (first.value, second.value, third.value)
        } else {
            parts.year = year(third.value, digits: third.digits)
            let isMonthFirst = hasSlashes && first.value <= 12
            parts.month = isMonthFirst ? first.value : second.value
            parts.day = isMonthFirst ? second.value : first.value
        }
        while cursor.skip(",") || cursor.skip(" ") {}
        guard !cursor.isAtEnd else { return parts.instant }
        guard cursor.timeOfDay(into: &parts) else { return nil }
        cursor.skipSpaces()
        if cursor.isAtEnd { return parts.instant }
        if let offset = cursor.offset() {
            parts.offsetMinutes = offset
        } else {
            guard let word = cursor.word() else { return nil }
            if !takeHalf(word, into: &parts) {
                guard let offset = zone(word) else { return nil }
                parts.offsetMinutes = offset
            }
        }
        cursor.skipSpaces()
        return cursor.isAtEnd ? parts.instant : nil
    }

    /// Parses `2004년 5월 28일 오후 11:31:58`: in Korean, each part is named after its number.
    ///
    /// The zone is Korea's.
    private static func korean(_ text: String) -> Instant? {
        guard text.contains("년") else { return nil }
        var parts = Parts()
        parts.offsetMinutes = 9 * 60
        var isAfternoon = false
        for word in text.split(separator: " ") {
            if word == "오후" { isAfternoon = true }
            if let mark = word.last, let number = Int64(word.dropLast()), number >= 0 {
                switch mark {
                case "년": parts.year = number
                case "월": parts.month = number
                case "일": parts.day = number
                default: return nil
                }
            } else if word.contains(":") {
                var cursor = ByteCursor(Array(word.utf8))
                guard cursor.timeOfDay(into: &parts), cursor.isAtEnd else { return nil }
            }
        }
        if isAfternoon, parts.hour < 12 { parts.hour += 12 }
        return parts.instant
    }

    /// Applies `am` or `pm`; returns false for any other word, or if the hour is not from 1 to 12.
    private static func takeHalf(_ word: String, into parts: inout Parts) -> Bool {
        guard word == "am" || word == "pm", (1...12).contains(parts.hour) else { return false }
        parts.hour = parts.hour % 12 + (word == "pm" ? 12 : 0)
        return true
    }

    /// Parses `Sat, 21 Nov 2026 00:49:16 GMT` in any unambiguous order: the month is a word, and the time has colons.
    private static func internet(_ bytes: [UInt8]) -> Instant? {
        var cursor = ByteCursor(bytes)
        var parts = Parts()
        var hasTime = false
        var ambiguous: Int64?
        while !cursor.isAtEnd {
            if cursor.skipSeparator(dashes: !hasTime) { continue }
            if let word = cursor.word() {
                // A word may be both a month and a weekday: `mar` is March, but also Tuesday in French.
                if parts.month == nil, let month = DateWords.month(word), parts.day != nil || !DateWords.isWeekday(word)
                {
                    parts.month = month
                } else if DateWords.isWeekday(word) || DateWords.isFiller(word) {
                    if parts.month == nil, let month = DateWords.month(word) { ambiguous = ambiguous ?? month }
                    continue
                } else if word == "am" || word == "pm" {
                    guard hasTime, takeHalf(word, into: &parts) else { return nil }
                } else if let offset = zone(word) {
                    parts.offsetMinutes = offset
                } else {
                    return nil
                }
            } else if hasTime, cursor.isAtSign {
                // `GMT+0200` means two hours east of Greenwich.
                guard let offset = cursor.offset() else { return nil }
                parts.offsetMinutes = offset
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

    /// Returns the full year for years of two and three digits (RFC 5322, section 4.3).
    private static func year(_ number: Int64, digits: Int) -> Int64 {
        switch digits {
        case 0...2: number < 50 ? 2000 + number : 1900 + number
        case 3: 1900 + number
        default: number
        }
    }

    /// Returns the offset of a zone in minutes east of Greenwich; nil if it is unknown.
    private static func zone(_ word: String) -> Int64? {
        if word.utf8.count == 1 {
            // The military letters were specified incorrectly and all count as UTC (RFC 5322, section 4.3).
            return word == "j" ? nil : 0
        }
        return zones[word]
    }

    private static let zones: [String: Int64] = [
        "gmt": 0, "utc": 0, "ut": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "met": 60, "mez": 60, "cest": 120,
        "mest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "msd": 240, "ist": 330, "hkt": 480, "sgt": 480,
        "awst": 480, "jst": 540, "kst": 540, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660, "nzst": 720,
        "nzdt": 780, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
        "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "ast": -240, "adt": -180, "nst": -210, "ndt": -150,
        "brt": -180, "brst": -120, "art": -180, "clt": -240, "clst": -180, "pet": -300, "cot": -300, "vet": -240,
        "uyt": -180, "azot": -60, "cvt": -60, "wat": 60, "cat": 120, "sast": 120, "eat": 180, "trt": 180, "idt": 180,
        "irst": 210, "gst": 240, "samt": 240, "pkt": 300, "uzt": 300, "yekt": 300, "npt": 345, "bdt": 360, "omst": 360,
        "ict": 420, "wib": 420, "krat": 420, "novt": 420, "pht": 480, "myt": 480, "wita": 480, "irkt": 480, "wit": 540,
        "yakt": 540, "chst": 600, "vlat": 600, "magt": 660, "fjt": 720, "sst": -660, "akt": -540, "hadt": -540,
        "hdt": -540, "z": 0, "et": -300, "ct": -360, "mt": -420, "pt": -480,
    ]

    /// A position in the bytes of a date.
    private struct ByteCursor {
        private let bytes: [UInt8]
        private var position = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { position >= bytes.count }

        var isAtSign: Bool { peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") }

        var isAtTimeOfDay: Bool {
            var ahead = position
            while ahead < bytes.count, ahead - position < 3, (48...57).contains(bytes[ahead]) { ahead += 1 }
            return ahead > position && ahead < bytes.count && bytes[ahead] == UInt8(ascii: ":")
        }

        private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard peek == UInt8(ascii: character) else { return false }
            position += 1
            return true
        }

        mutating func skipSpaces() {
            while peek == 32 || peek == 9 { position += 1 }
        }

        mutating func skipSeparator(dashes: Bool) -> Bool {
            switch peek {
            case 32, 9, 10, 13, UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"):
                position += 1
                return true
            case UInt8(ascii: "-") where dashes:
                position += 1
                return true
            default:
                return false
            }
        }

        /// Reads letters and returns them in lower case.
        mutating func word() -> String? {
            let start = position
            while let byte = peek, (65...90).contains(byte) || (97...122).contains(byte) || byte >= 0x80 {
                position += 1
            }
            return position > start ? String(decoding: bytes[start..<position], as: UTF8.self).lowercased() : nil
        }

        mutating func zoneName() -> String? { word() }

        /// Reads three digits without a fourth one: a day of the year.
        mutating func dayOfYear() -> Int64? {
            let end = position + 3
            if end < bytes.count, (48...57).contains(bytes[end]) { return nil }
            return number(digits: 3)
        }

        /// Reads `004916` or `0049`.
        mutating func compactTimeOfDay(into parts: inout Parts) -> Bool {
            let start = position
            guard let hour = number(digits: 2), let minute = number(digits: 2) else {
                position = start
                return false
            }
            parts.hour = hour
            parts.minute = minute
            parts.second = number(digits: 2) ?? 0
            return true
        }

        mutating func number(digits: Int) -> Int64? {
            guard position + digits <= bytes.count else { return nil }
            var value: Int64 = 0
            for index in position..<(position + digits) {
                guard (48...57).contains(bytes[index]) else { return nil }
                value = value * 10 + Int64(bytes[index] - 48)
            }
            position += digits
            return value
        }

        /// Reads one to four digits.
        mutating func number() -> (value: Int64, digits: Int)? {
            var value: Int64 = 0
            let start = position
            while let byte = peek, (48...57).contains(byte) {
                guard position - start < 4 else { return nil }
                value = value * 10 + Int64(byte - 48)
                position += 1
            }
            return position > start ? (value, position - start) : nil
        }

        /// Reads `9:05`, `09:05:16` or `09:05:16.123`.
        mutating func timeOfDay(into parts: inout Parts) -> Bool {
            guard let hour = number(), hour.digits <= 2, skip(":"), let minute = number(), minute.digits <= 2 else {
                return false
            }
            parts.hour = hour.value
            parts.minute = minute.value
            guard skip(":") else { return true }
            guard let second = number(), second.digits <= 2 else { return false }
            parts.second = second.value
            guard skip(".") || skip(",") else { return true }
            var scale: Int64 = 100
            let start = position
            while let byte = peek, (48...57).contains(byte) {
                parts.milliseconds += Int64(byte - 48) * scale
                scale /= 10
                position += 1
            }
            return position > start
        }

        /// Reads `+01:00`, `-0530` or `+1`.
        mutating func offset() -> Int64? {
            guard isAtSign else { return nil }
            let sign: Int64 = skip("-") ? -1 : 1
            if sign == 1 { _ = skip("+") }
            guard let (value, digits) = number() else { return nil }
            if digits > 2 { return sign * (value / 100 * 60 + value % 100) }
            guard skip(":") else { return sign * value * 60 }
            guard let minutes = number(digits: 2) else { return nil }
            return sign * (value * 60 + minutes)
        }
    }
}
