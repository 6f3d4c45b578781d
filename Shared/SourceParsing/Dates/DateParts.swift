// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// The parts of a date, which `instant` validates and combines.
struct DateParts {
    /// The earliest year that is accepted, in the date's own zone and in UTC.
    ///
    /// Earlier years stand for a missing date, such as year 1 in feeds of programs that write an unset date.
    private static let earliestYear: Int64 = 1900
    /// The beginning of ``earliestYear`` in UTC.
    private static let earliest = Instant(milliseconds: -2_208_988_800_000)

    var year: Int64?
    var month: Int64?
    var day: Int64?
    var hour: Int64 = 0
    var minute: Int64 = 0
    var second: Int64 = 0
    var milliseconds: Int64 = 0
    var offsetMinutes: Int64 = 0

    var instant: Instant? {
        guard let year, (Self.earliestYear...9999).contains(year), let month, (1...12).contains(month), let day,
            (1...FeedDate.days(in: month, of: year)).contains(day), hour <= 24, minute < 60, second <= 60,
            hour < 24 || (minute == 0 && second == 0), (-12 * 60...14 * 60).contains(offsetMinutes)
        else { return nil }
        let seconds = hour * 3600 + (minute - offsetMinutes) * 60 + second
        let instant = Instant(year: year, month: month, day: day, millisecondsOfDay: seconds * 1000 + milliseconds)
        return instant >= Self.earliest ? instant : nil
    }

    /// Returns the instant of the date in a zone; nil if the date is invalid.
    ///
    /// If `zone` is nil, the date is in the zone of `offsetMinutes`.
    func instant(in zone: DateZone?) -> Instant? {
        var parts = self
        switch zone {
        case nil: return instant
        case .offset(let minutes):
            parts.offsetMinutes = minutes
            return parts.instant
        case .place(let days):
            parts.offsetMinutes = 0
            return parts.instant.map { days.instant(localMilliseconds: $0.milliseconds) }
        }
    }

    /// Applies `am` or `pm` to the hour; returns false if the hour contradicts `dayPeriod`.
    ///
    /// Hours from 13 to 23 may have `pm`, because some feeds add it to hours of the 24-hour clock.
    mutating func take(dayPeriod: String) -> Bool {
        switch (hour, dayPeriod) {
        case (13...23, "pm"), (0, "am"): return true
        // In Japanese, the hour after noon is the hour 0.
        case (0, "pm"):
            hour = 12
            return true
        case (1...12, _):
            hour = hour % 12 + (dayPeriod == "pm" ? 12 : 0)
            return true
        default: return false
        }
    }
}

/// The time zone of a date.
enum DateZone {
    /// An offset in minutes east of Greenwich.
    case offset(Int64)
    /// The zone of a place, such as `Europe/Berlin`, whose offset depends on the date.
    case place(LocalDays)
}
