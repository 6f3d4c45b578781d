// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A day of the proleptic Gregorian calendar, without a time zone.
///
/// The wire form is `YYYY-MM-DD` (RFC 3339, `full-date`).
public struct CalendarDate: Hashable, Comparable, CodableAsText, Sendable {
    public static let refusal = "is not a date, YYYY-MM-DD"

    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, 1 to 31.
    public let day: Int

    /// Creates a date; nil if the day does not exist in the calendar, or if the year is not in 0 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let (found, foundMonth, foundDay) = Self.civil(Self.days(Int64(year), Int64(month), Int64(day)))
        guard (found, foundMonth, foundDay) == (Int64(year), Int64(month), Int64(day)) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates the day that is `days` after 1970-01-01.
    public init(daysSince1970 days: Int) {
        let (year, month, day) = Self.civil(Int64(days))
        self.year = Int(year)
        self.month = Int(month)
        self.day = Int(day)
    }

    /// Parses `YYYY-MM-DD`; nil for any other text, and for days that do not exist.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            text.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: "-") }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    public var daysSince1970: Int { Int(Self.days(Int64(year), Int64(month), Int64(day))) }

    /// The day of the year, 1 to 366.
    public var dayOfYear: Int { daysSince1970 - Int(Self.days(Int64(year), 1, 1)) + 1 }

    public func advanced(byDays days: Int) -> CalendarDate { CalendarDate(daysSince1970: daysSince1970 + days) }

    public var description: String {
        "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    // `days` and `civil` count years from March, so that the leap day is the last day of a year, and group years in
    // eras of 400 years (146,097 days).

    /// Returns the number of days from 1970-01-01 to a date; a day after the end of the month counts as a day of the
    /// next month.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(shiftedYear, by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
