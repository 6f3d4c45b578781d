// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A cursor that reads the bytes of a date.
struct DateCursor {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    var isAtComment: Bool { peek == UInt8(ascii: "(") || peek == UInt8(ascii: "[") }

    var isAtSign: Bool { peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") }

    /// A Boolean value that indicates whether a time such as `9:05`, `9h05`, `9 Uhr` or `9 am` follows.
    var isAtTimeOfDay: Bool {
        let end = endOfDigits(from: position)
        guard end > position, end - position <= 3, end < bytes.count else { return false }
        if bytes[end] == UInt8(ascii: ":") { return true }
        var (ahead, parts) = (self, DateParts())
        return ahead.timeWithUnits(isAfterDate: false, into: &parts)
    }

    /// A Boolean value that indicates whether a time with dots follows, such as `9.05` or `09.05.16`.
    var isAtTimeWithDots: Bool {
        let hourEnd = endOfDigits(from: position)
        guard (1...2).contains(hourEnd - position), hourEnd < bytes.count, bytes[hourEnd] == UInt8(ascii: ".") else {
            return false
        }
        return endOfDigits(from: hourEnd + 1) == hourEnd + 3
    }

    var isAtDigit: Bool { endOfDigits(from: position) > position }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func endOfDigits(from start: Int) -> Int {
        var end = start
        while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
        return end
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func skipSpaces() {
        while peek == 32 || peek == 9 { position += 1 }
    }

    /// Skips one separator; dashes and slashes are separators if `dashes` is true.
    mutating func skipSeparator(dashes: Bool) -> Bool {
        switch peek {
        case 32, 9, 10, 13, UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "|"), UInt8(ascii: "'"), UInt8(ascii: ";"):
            position += 1
            return true
        case UInt8(ascii: "-") where dashes, UInt8(ascii: "/") where dashes:
            position += 1
            return true
        default:
            return false
        }
    }

    /// Reads a comment in parentheses (RFC 5322, section 3.2.2) or brackets (RFC 9557), and returns its text.
    ///
    /// Returns nil if no comment follows.
    mutating func comment() -> String? {
        let close: UInt8
        switch peek {
        case UInt8(ascii: "("): close = UInt8(ascii: ")")
        case UInt8(ascii: "["): close = UInt8(ascii: "]")
        default: return nil
        }
        guard let end = bytes[position...].firstIndex(of: close) else { return nil }
        defer { position = end + 1 }
        return String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
    }

    /// Returns the text up to the next digit, comment or sign of an offset, and the position of its end.
    ///
    /// The text may be the name of a zone in several words. It has no white space at its ends.
    func phrase() -> (text: String, end: Int) {
        var end = position
        while end < bytes.count, !(48...57).contains(bytes[end]), !Self.phraseEnds.contains(bytes[end]) { end += 1 }
        var last = end
        while last > position, bytes[last - 1] <= 32 { last -= 1 }
        return (String(decoding: bytes[position..<last], as: UTF8.self), last)
    }

    private static let phraseEnds: [UInt8] = Array("([+,;".utf8)

    /// Reads the name of a zone with a slash, such as `Europe/Berlin`, in its original case; nil if none follows.
    mutating func placeName() -> String? {
        var end = position
        var hasSlash = false
        while end < bytes.count, Self.isPlaceByte(bytes[end]) {
            if bytes[end] == UInt8(ascii: "/") { hasSlash = true }
            end += 1
        }
        guard hasSlash, let first = peek, Self.isLetter(first) else { return nil }
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private static func isPlaceByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    /// Moves to a position that ``phrase()`` returned.
    mutating func move(to end: Int) { position = end }

    /// Reads `am`, `PM`, `p.m.` or `p. m.` and returns `am` or `pm`; returns nil if none of these follows.
    mutating func dayPeriod() -> String? {
        guard let first = peek.map({ $0 | 0x20 }), first == UInt8(ascii: "a") || first == UInt8(ascii: "p") else {
            return nil
        }
        let start = position
        position += 1
        if skip(".") { skipSpaces() }
        guard peek.map({ $0 | 0x20 }) == UInt8(ascii: "m") else {
            position = start
            return nil
        }
        position += 1
        if let next = peek, Self.isLetter(next) {
            position = start
            return nil
        }
        _ = skip(".")
        return first == UInt8(ascii: "a") ? "am" : "pm"
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte >= 0x80
    }

    /// Reads letters and returns them in lower case; returns nil if no letter follows.
    ///
    /// Abbreviations of Thai have dots inside, such as `ก.ค.`, which are part of the word.
    mutating func word() -> String? {
        let start = position
        while let byte = peek, Self.isLetter(byte) || isThaiDot { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self).lowercased() : nil
    }

    /// A Boolean value that indicates whether a dot between two letters of Thai follows.
    private var isThaiDot: Bool {
        guard peek == UInt8(ascii: "."), position >= 3, position + 2 < bytes.count else { return false }
        return [position - 3, position + 1].allSatisfy { bytes[$0] == 0xe0 && (0xb8...0xb9).contains(bytes[$0 + 1]) }
    }

    /// Reads a day of the year; returns nil unless exactly three digits follow.
    mutating func dayOfYear() -> Int64? {
        let end = position + 3
        if end < bytes.count, (48...57).contains(bytes[end]) { return nil }
        return number(digits: 3)
    }

    /// Reads a time such as `004916` or `0049` into `parts`; returns false if no such time follows.
    mutating func compactTimeOfDay(into parts: inout DateParts) -> Bool {
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

    /// Reads a number; returns nil if it does not have one or two digits.
    mutating func shortNumber() -> Int64? {
        guard let (value, digits) = number(), digits <= 2 else { return nil }
        return value
    }

    /// Reads a number and counts its digits; returns nil if it does not have one to four digits.
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

    /// Reads a time such as `9:05`, `09:05:16`, `09:05:16.123`, `09.05.16`, `9h05` or `9 Uhr` into `parts`; returns
    /// false if no such time follows.
    ///
    /// `isAfterDate` is true if the day of the date was read, so that no further number is the day.
    mutating func timeOfDay(isAfterDate: Bool, into parts: inout DateParts) -> Bool {
        if timeWithUnits(isAfterDate: isAfterDate, into: &parts) { return true }
        let hasDots = isAtTimeWithDots
        guard let hour = number(), hour.digits <= 2 else { return false }
        parts.hour = hour.value
        guard skip(hasDots ? "." : ":") else { return false }
        guard let minute = number(), minute.digits <= 2 else { return false }
        parts.minute = minute.value
        if hasDots {
            guard peek == UInt8(ascii: "."), endOfDigits(from: position + 1) == position + 3 else { return true }
        }
        guard skip(hasDots ? "." : ":") else { return true }
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

    /// Reads an offset such as `+01:00`, `-0530` or `+1` and returns it in minutes; nil if there is none.
    mutating func offset() -> Int64? {
        guard isAtSign else { return nil }
        let sign: Int64 = skip("-") ? -1 : 1
        if sign == 1 { _ = skip("+") }
        return unsignedOffset().map { sign * $0 }
    }

    /// Reads an offset without a sign, such as `01:00`, `0530` or `1`, and returns it in minutes; nil if there is none.
    mutating func unsignedOffset() -> Int64? {
        guard let (value, digits) = number() else { return nil }
        if digits > 2 { return value / 100 * 60 + value % 100 }
        guard skip(":") else { return value * 60 }
        guard let minutes = number(digits: 2) else { return nil }
        return value * 60 + minutes
    }
}
