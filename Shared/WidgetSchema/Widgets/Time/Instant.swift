// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A point in wall-clock time, in milliseconds since 1970.
///
/// The wire form is RFC 3339 in UTC with milliseconds. This type reads and writes this form itself, because
/// Foundation's date strategies take three times as long as the rest of an event's decoding.
public struct Instant: Hashable, Comparable, CodableAsText, Sendable {
    public static let refusal = "is not an RFC 3339 date and time"

    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Returns the instant that is `duration` later; the duration is rounded towards zero to whole milliseconds.
    public func advanced(by duration: Duration) -> Instant { advanced(byMilliseconds: duration.wholeMilliseconds) }

    public func advanced(byMilliseconds delta: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
        return Instant(milliseconds: overflow ? (delta < 0 ? .min : .max) : sum)
    }

    /// Returns the milliseconds from `other` to this instant; negative if `other` is later.
    ///
    /// If the difference exceeds the range of `Int64`, the result is the smallest or the largest `Int64`.
    public func milliseconds(since other: Instant) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
        return overflow ? (milliseconds < other.milliseconds ? .min : .max) : difference
    }

    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    /// The RFC 3339 form, for example `2026-11-21T00:49:16.123Z`.
    public var description: String {
        let (days, inDay) = CalendarDate.floorDivide(milliseconds, by: 86_400_000)
        let (year, month, day) = CalendarDate.civil(days)
        let (seconds, fraction) = (inDay / 1000, inDay % 1000)
        let date = year < 0 ? String(year) : year.padded(to: 4)
        // Optimised, because every event contains several instants.
        return date
            + String(unsafeUninitializedCapacity: Self.monthToZone) { bytes in
                var end = 0
                func write(_ mark: Unicode.Scalar, _ number: Int64, digits: Int) {
                    bytes.initializeElement(at: end, to: UInt8(ascii: mark))
                    var rest = number
                    for index in stride(from: end + digits, to: end, by: -1) {
                        bytes.initializeElement(at: index, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                        rest /= 10
                    }
                    end += digits + 1
                }
                write("-", month, digits: 2)
                write("-", day, digits: 2)
                write("T", seconds / 3600, digits: 2)
                write(":", seconds / 60 % 60, digits: 2)
                write(":", seconds % 60, digits: 2)
                write(".", fraction, digits: 3)
                bytes.initializeElement(at: end, to: UInt8(ascii: "Z"))
                return end + 1
            }
    }

    /// The number of characters after the year in the RFC 3339 form, as in `-11-21T00:49:16.123Z`.
    private static let monthToZone = 20

    /// Parses an RFC 3339 date and time with any UTC offset; nil for any other text.
    ///
    /// Fraction digits after the third are ignored.
    public init?(_ text: some StringProtocol) {
        var reader = DigitReader(text.utf8)
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"), let day = reader.number(digits: 2), reader.skip("T") || reader.skip("t"),
            let hour = reader.number(digits: 2), reader.skip(":"), let minute = reader.number(digits: 2),
            reader.skip(":"), let second = reader.number(digits: 2)
        else { return nil }
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60 else { return nil }
        var fraction: Int64 = 0
        if reader.skip(".") {
            guard let read = reader.fraction() else { return nil }
            fraction = read
        }
        var offset: Int64 = 0
        if !(reader.skip("Z") || reader.skip("z")) {
            let sign: Int64 = reader.skip("-") ? -1 : 1
            guard sign == -1 || reader.skip("+"), let hours = reader.number(digits: 2), reader.skip(":"),
                let minutes = reader.number(digits: 2), hours < 24, minutes < 60
            else { return nil }
            offset = sign * (hours * 60 + minutes) * 60_000
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            year: year,
            month: month,
            day: day,
            millisecondsOfDay: ((hour * 60 + minute) * 60 + second) * 1000 + fraction - offset
        )
    }

    /// Creates an instant from a date in the proleptic Gregorian calendar and a time of day, both in UTC.
    ///
    /// If `day` is after the end of the month, the date is in the next month: November 31 is December 1.
    public init(year: Int64, month: Int64, day: Int64, millisecondsOfDay: Int64) {
        milliseconds = CalendarDate.days(year, month, day) * 86_400_000 + millisecondsOfDay
    }
}

/// A reader for fixed-width numbers in a text's bytes.
private struct DigitReader<Bytes: Collection<UInt8>> {
    private var rest: Bytes.SubSequence

    init(_ bytes: Bytes) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func number(digits: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<digits {
            guard let digit = nextDigit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads one or more fraction digits and returns them as milliseconds; nil if no digit follows.
    mutating func fraction() -> Int64? {
        guard var value = nextDigit() else { return nil }
        var scale = 1
        while let digit = nextDigit() {
            if scale < 3 {
                value = value * 10 + digit
                scale += 1
            }
        }
        while scale < 3 {
            value *= 10
            scale += 1
        }
        return value
    }

    private mutating func nextDigit() -> Int64? {
        guard let byte = rest.first, byte.isDigit else { return nil }
        rest.removeFirst()
        return Int64(byte - UInt8(ascii: "0"))
    }
}
