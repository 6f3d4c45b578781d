// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Foundation

/// The local days in a time zone, for converting between instants and dates.
///
/// A day begins at the first instant of its date, which is 01:00 if a clock change skips midnight.
public struct LocalDays: Sendable {
    private let timeZone: TimeZone

    public init(_ timeZone: TimeZone) { self.timeZone = timeZone }

    /// Creates the local days in a time zone, such as `Europe/Berlin`; nil if the zone is unknown.
    public init?(identifier: String) {
        guard let timeZone = TimeZone(identifier: identifier) else { return nil }
        self.timeZone = timeZone
    }

    /// The days in UTC.
    public static let utc = LocalDays(.gmt)

    /// Returns the local date at an instant.
    public func date(at instant: Instant) -> CalendarDate {
        CalendarDate(daysSince1970: Int(localDay(instant.milliseconds)))
    }

    /// Returns the time of day that a local clock shows, in milliseconds since 00:00.
    public func millisecondsOfDay(at instant: Instant) -> Int64 {
        let local = instant.milliseconds + offset(at: instant.milliseconds)
        return CalendarDate.floorDivide(local, by: Self.day).remainder
    }

    /// Returns the instant at which a local clock shows a time, given in milliseconds since 1970 on that clock.
    ///
    /// If a clock change skips or repeats the time, the result is the instant with the offset before the change.
    public func instant(localMilliseconds local: Int64) -> Instant {
        let (before, after) = (offset(at: local - Self.day), offset(at: local + Self.day))
        let isAfter = offset(at: local - before) != before && offset(at: local - after) == after
        return Instant(milliseconds: local - (isAfter ? after : before))
    }

    /// Returns the first instant after `instant` that is on a later local day.
    public func nextMidnight(after instant: Instant) -> Instant {
        let start = instant.milliseconds
        let day = localDay(start)
        let midnight = (day + 1) * Self.day
        for offset in [offset(at: start), offset(at: midnight - offset(at: start))] {
            let candidate = midnight - offset
            if candidate > start, localDay(candidate) == day + 1, localDay(candidate - 1) == day {
                return Instant(milliseconds: candidate)
            }
        }
        // In some zones and years, the clocks skip midnight: the day begins at that transition.
        let from = Date(timeIntervalSince1970: Double(start) / 1000)
        if let transition = timeZone.nextDaylightSavingTimeTransition(after: from) {
            let milliseconds = Int64((transition.timeIntervalSince1970 * 1000).rounded())
            if milliseconds > start, localDay(milliseconds) > day { return Instant(milliseconds: milliseconds) }
        }
        return Instant(milliseconds: max(midnight - offset(at: start), start + 1))
    }

    private static let day: Int64 = 86_400_000

    private func offset(at milliseconds: Int64) -> Int64 {
        Int64(timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(milliseconds) / 1000))) * 1000
    }

    private func localDay(_ milliseconds: Int64) -> Int64 {
        CalendarDate.floorDivide(milliseconds + offset(at: milliseconds), by: Self.day).quotient
    }
}
