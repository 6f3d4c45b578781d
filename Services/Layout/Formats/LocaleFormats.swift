// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Writes dates as people of a locale do, and knows which way their text runs.
///
/// The only place of the system that formats by locale: the data for it triples a process's memory. Formats are
/// remembered. Owned by one thread.
final class LocaleFormats {
    static let maximumRememberedLocales = 256
    static let maximumRememberedDates = 16_384

    private struct Place: Hashable {
        let locale: String
        let timeZone: String
    }

    private struct Day: Hashable {
        let instant: Instant
        let place: Place
    }

    private var formats = BoundedMemory<Place, Date.FormatStyle>(limit: LocaleFormats.maximumRememberedLocales)
    private var dates = BoundedMemory<Day, String>(limit: LocaleFormats.maximumRememberedDates)
    private var directions = BoundedMemory<String, Bool>(limit: LocaleFormats.maximumRememberedLocales)

    /// The years that calendars and hosts agree on; a date outside them is a feed's mistake.
    private static let years =
        Instant(
            year: 1,
            month: 1,
            day: 2,
            millisecondsOfDay: 0
        )...Instant(
            year: 9999,
            month: 12,
            day: 30,
            millisecondsOfDay: 0
        )

    /// A short date, `Nov 21, 2026`; nil where no calendar has the moment.
    ///
    /// A time zone that nobody knows counts as GMT.
    func date(_ instant: Instant, locale: String, timeZone: String) -> String? {
        guard Self.years.contains(instant) else { return nil }
        let place = Place(locale: locale, timeZone: timeZone)
        let day = Day(instant: instant, place: place)
        if let known = dates.value(for: day) { return known }
        let text = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000).formatted(format(for: place))
        dates.remember(text, for: day)
        return text
    }

    /// Whether text of the locale's language runs from right to left.
    func isRightToLeft(locale: String) -> Bool {
        if let known = directions.value(for: locale) { return known }
        let answer = Locale(identifier: locale).language.characterDirection == .rightToLeft
        directions.remember(answer, for: locale)
        return answer
    }

    private func format(for place: Place) -> Date.FormatStyle {
        if let known = formats.value(for: place) { return known }
        let locale = Locale(identifier: place.locale)
        let format = Date.FormatStyle(
            date: .abbreviated,
            time: .omitted,
            locale: locale,
            calendar: locale.calendar,
            timeZone: TimeZone(identifier: place.timeZone) ?? .gmt
        )
        formats.remember(format, for: place)
        return format
    }
}
