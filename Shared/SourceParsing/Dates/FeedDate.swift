// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A parser for the dates in feeds.
///
/// It accepts the forms of RFC 822 with its successors, of RFC 3339, of RFC 850 and of `asctime`. It also accepts the
/// shorter forms of ISO 8601, and dates with words of many languages.
public enum FeedDate {
    /// The maximum length of a date in bytes; a letter or digit of some scripts has three.
    private static let maximumBytes = 256

    /// Returns the instant of a date; nil if the text is ambiguous or not a date.
    ///
    /// Without a zone, the date is in UTC; without a time of day, it is midnight. A date before 1900 stands for a
    /// missing date, so the result is nil.
    public static func parse(_ text: String) -> Instant? {
        if let usual = PlainText.withBytes(of: text, usual) { return usual }
        guard text.utf8.count <= maximumBytes else { return nil }
        let text = DateText.simplified(text)
        let bytes = Array(text.utf8)
        return seconds(bytes) ?? iso(bytes) ?? WordedDate.parse(bytes) ?? numeric(bytes) ?? EastAsianDate.parse(text)
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
}
