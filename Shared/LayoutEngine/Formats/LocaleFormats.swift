// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The formats of dates, numbers and temperatures in all locales, and the writing directions of locales.
///
/// No other module formats values by locale, because the locale data triples the memory of a process. Formatted values
/// are cached. An instance must be used by one thread only.
final class LocaleFormats {
    static let maximumRememberedLocales = 256
    static let maximumRememberedTexts = 16_384

    /// The locale, time zone and hour cycle of dates.
    ///
    /// `LocaleFormats` keeps one instance for equal values, so instances are compared by reference.
    final class Place: Hashable, Sendable {
        let locale: String
        let timeZone: String
        let hourCycle: Display.HourCycle?
        let language: WidgetLanguage
        /// A Boolean value that indicates whether the locale's language is written from right to left.
        let isRightToLeft: Bool

        fileprivate init(_ name: PlaceName) {
            locale = name.locale
            timeZone = name.timeZone
            hourCycle = name.hourCycle
            language = WidgetLanguage(locale: locale) ?? .english
            isRightToLeft = Locale(identifier: locale).language.characterDirection == .rightToLeft
        }

        static func == (left: Place, right: Place) -> Bool { left === right }

        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    fileprivate struct PlaceName: Hashable {
        let locale: String
        let timeZone: String
        let hourCycle: Display.HourCycle?
    }

    private enum Question: Hashable {
        case day(Instant, Place)
        case moment(Instant, Place)
        case short(Instant, Place)
        case shortMoment(Instant, Place)
        case time(Instant, Place)
        case dayAndMonth(Instant, Place)
        case monthAndYear(Instant, Place)
        case header(CalendarDate, isLong: Bool, locale: String)
        case weekday(Int, WeekdayLength, locale: String)
        case temperature(Int, locale: String)
        case number(RowNumber, locale: String)
    }

    private struct Style: Hashable {
        enum Form: Hashable {
            case day
            case dayAndTime
            case shortDay
            case shortDayAndTime
            case time
            case dayAndMonth
            case monthAndYear
        }

        let place: Place
        let form: Form
    }

    private var styles = BoundedMemory<Style, Date.FormatStyle>(limit: LocaleFormats.maximumRememberedLocales)
    private var shortStyles = BoundedMemory<Style, DateFormatter>(limit: LocaleFormats.maximumRememberedLocales)
    private var texts = BoundedMemory<Question, String>(limit: LocaleFormats.maximumRememberedTexts)
    private var locales = BoundedMemory<String, Locale>(limit: LocaleFormats.maximumRememberedLocales)
    private var places = BoundedMemory<PlaceName, Place>(limit: LocaleFormats.maximumRememberedLocales)

    /// The range of instants that are formatted: the years 1 to 9999, without the first day and the last two days.
    ///
    /// Calendars and hosts agree on these years. An instant outside this range is an error in the feed.
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

    /// Returns a date with the abbreviated month, `Nov 21, 2026`; nil if the instant is not in the years 1 to 9999.
    ///
    /// An unknown time zone counts as GMT.
    func date(_ instant: Instant, at place: Place) -> String? {
        guard Self.years.contains(instant) else { return nil }
        return remembered(.day(instant, place)) { write(instant, Style(place: place, form: .day)) }
    }

    /// Returns a date with the abbreviated month and the time of day, `Nov 21, 2026 at 1:49 PM`; nil if the instant is not in the years 1 to
    /// 9999.
    func dateAndTime(_ instant: Instant, at place: Place) -> String? {
        guard Self.years.contains(instant) else { return nil }
        return remembered(.moment(instant, place)) { write(instant, Style(place: place, form: .dayAndTime)) }
    }

    /// Returns a date in figures, `11/21/26`; nil if the instant is not in the years 1 to 9999.
    ///
    /// The format is `DateFormatter.Style.short` of Apple's ICU: the locale's short date of CLDR, but for few locales.
    func shortDate(_ instant: Instant, at place: Place) -> String? {
        guard Self.years.contains(instant) else { return nil }
        return remembered(.short(instant, place)) { writeShort(instant, Style(place: place, form: .shortDay)) }
    }

    /// Returns a date in figures and the time of day, `11/21/26, 1:49 PM`; nil if the instant is not in the years 1 to
    /// 9999.
    func shortDateAndTime(_ instant: Instant, at place: Place) -> String? {
        guard Self.years.contains(instant) else { return nil }
        return remembered(.shortMoment(instant, place)) {
            writeShort(instant, Style(place: place, form: .shortDayAndTime))
        }
    }

    /// Returns the time of day, `07:56` or `7:56 AM`, with two digits for the hour if it has 24; the instant must be in the
    /// years 1 to 9999.
    func timeOfDay(_ instant: Instant, at place: Place) -> String {
        remembered(.time(instant, place)) { write(instant, Style(place: place, form: .time)) }
    }

    /// Returns the day and the abbreviated month, `20 Nov` or `Nov 20`; the instant must be in the years 1 to 9999.
    func dayAndMonth(_ instant: Instant, at place: Place) -> String {
        remembered(.dayAndMonth(instant, place)) { write(instant, Style(place: place, form: .dayAndMonth)) }
    }

    /// Returns the abbreviated month and the year, `Nov 2025`; the instant must be in the years 1 to 9999.
    func monthAndYear(_ instant: Instant, at place: Place) -> String {
        remembered(.monthAndYear(instant, place)) { write(instant, Style(place: place, form: .monthAndYear)) }
    }

    /// Returns the weekday, the day and the month in the order of the locale, `Saturday, November 28`; abbreviated if
    /// `isLong` is false.
    func weekdayAndDate(_ date: CalendarDate, isLong: Bool, locale: String) -> String {
        remembered(.header(date, isLong: isLong, locale: locale)) {
            let noon = Date(timeIntervalSince1970: (Double(date.daysSince1970) + 0.5) * 86_400)
            let locale = self.locale(locale)
            let style = Date.FormatStyle(locale: locale, calendar: locale.calendar, timeZone: .gmt)
            return noon.formatted(
                isLong
                    ? style.weekday(.wide).day().month(.wide) : style.weekday(.abbreviated).day().month(.abbreviated)
            )
        }
    }

    /// The length of a weekday's name.
    enum WeekdayLength: Hashable {
        /// `Saturday`
        case wide
        /// `Sat`
        case abbreviated
        /// `Sa`
        case short
    }

    /// Returns the name of a weekday.
    func weekday(of date: CalendarDate, length: WeekdayLength = .wide, locale: String) -> String {
        // 1970-01-04 was a Sunday.
        let index = (date.daysSince1970 % 7 + 11) % 7
        return remembered(.weekday(index, length, locale: locale)) {
            let sunday = Date(timeIntervalSince1970: 3 * 86_400 + 43_200)
            let day = sunday.addingTimeInterval(Double(index) * 86_400)
            let style = Date.FormatStyle(locale: self.locale(locale), timeZone: .gmt)
            let symbol: Date.FormatStyle.Symbol.Weekday =
                switch length {
                case .wide: .wide
                case .abbreviated: .abbreviated
                case .short: .short
                }
            return day.formatted(style.weekday(symbol))
        }
    }

    /// Returns a temperature in whole degrees, such as `21°`; nil unless `celsius` is above -10,000 and below 10,000.
    ///
    /// The result is in Celsius or Fahrenheit, depending on the locale's region. If the locale's language is written
    /// from right to left, the result begins with a right-to-left mark, because digits do not set the direction of a
    /// line.
    func temperature(celsius: Double, locale: String) -> String? {
        guard celsius.isFinite, abs(celsius) < 10_000 else { return nil }
        let tenths = Int((celsius * 10).rounded())
        return remembered(.temperature(tenths, locale: locale)) {
            let locale = self.locale(locale)
            let celsius = Double(tenths) / 10
            let degrees = (locale.measurementSystem == .us ? celsius * 9 / 5 + 32 : celsius).rounded() + 0
            let isRightToLeft = locale.language.characterDirection == .rightToLeft
            let number = degrees.formatted(.number.precision(.fractionLength(0)).locale(locale))
            return "\(isRightToLeft ? String(TextDirection.rightToLeft.mark) : "")\(number)°"
        }
    }

    /// Returns a number as text, in the format `number.format`; nil if `number.value` is infinite or NaN.
    func number(_ number: RowNumber, locale: String) -> String? {
        guard number.value.isFinite else { return nil }
        return remembered(.number(number, locale: locale)) {
            let locale = self.locale(locale)
            switch number.format {
            case .decimal: return number.value.formatted(.number.precision(.fractionLength(0...2)).locale(locale))
            case .percent: return number.value.formatted(.percent.precision(.fractionLength(0...1)).locale(locale))
            case .bytes:
                let bytes = Int64(exactly: min(max(number.value, -9e18), 9e18).rounded()) ?? 0
                return bytes.formatted(ByteCountFormatStyle(style: .decimal, locale: locale))
            }
        }
    }

    /// Returns the shared ``Place`` instance for a locale, a time zone and an hour cycle.
    func place(locale: String, timeZone: String, hourCycle: Display.HourCycle?) -> Place {
        let name = PlaceName(locale: locale, timeZone: timeZone, hourCycle: hourCycle)
        if let known = places.value(for: name) { return known }
        let place = Place(name)
        places.remember(place, for: name)
        return place
    }

    private func remembered(_ question: Question, _ write: () -> String) -> String {
        if let known = texts.value(for: question) { return known }
        let text = write()
        texts.remember(text, for: question)
        return text
    }

    private func write(_ instant: Instant, _ key: Style) -> String {
        Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000).formatted(style(key))
    }

    private func style(_ key: Style) -> Date.FormatStyle {
        if let known = styles.value(for: key) { return known }
        let locale = Self.locale(of: key.place)
        let zone = TimeZone(identifier: key.place.timeZone) ?? .gmt
        func format(_ date: Date.FormatStyle.DateStyle?, _ time: Date.FormatStyle.TimeStyle?) -> Date.FormatStyle {
            Date.FormatStyle(date: date, time: time, locale: locale, calendar: locale.calendar, timeZone: zone)
        }
        let style =
            switch key.form {
            case .day, .shortDay, .shortDayAndTime: format(.abbreviated, .omitted)
            case .dayAndTime: format(.abbreviated, .shortened)
            case .time: format(nil, nil).hour(Self.hour(of: locale)).minute(.twoDigits)
            case .dayAndMonth: format(nil, nil).day().month(.abbreviated)
            case .monthAndYear: format(nil, nil).month(.abbreviated).year()
            }
        styles.remember(style, for: key)
        return style
    }

    private static func hour(of locale: Locale) -> Date.FormatStyle.Symbol.Hour {
        switch locale.hourCycle {
        case .zeroToTwentyThree, .oneToTwentyFour: .twoDigits(amPM: .abbreviated)
        default: .defaultDigits(amPM: .abbreviated)
        }
    }

    private func writeShort(_ instant: Instant, _ key: Style) -> String {
        shortStyle(key).string(from: Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000))
    }

    /// Returns the formatter of short dates; `Date.FormatStyle` has no such format.
    private func shortStyle(_ key: Style) -> DateFormatter {
        if let known = shortStyles.value(for: key) { return known }
        let locale = Self.locale(of: key.place)
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.calendar = locale.calendar
        formatter.timeZone = TimeZone(identifier: key.place.timeZone) ?? .gmt
        formatter.dateStyle = .short
        formatter.timeStyle = key.form == .shortDayAndTime ? .short : .none
        shortStyles.remember(formatter, for: key)
        return formatter
    }

    /// Returns the locale of a place, with the place's hour cycle if it has one.
    private static func locale(of place: Place) -> Locale {
        guard let hourCycle = place.hourCycle else { return Locale(identifier: place.locale) }
        var components = Locale.Components(identifier: place.locale)
        components.hourCycle = hourCycle == .twelveHour ? .oneToTwelve : .zeroToTwentyThree
        return Locale(components: components)
    }

    private func locale(_ identifier: String) -> Locale {
        if let known = locales.value(for: identifier) { return known }
        let locale = Locale(identifier: identifier)
        locales.remember(locale, for: identifier)
        return locale
    }
}
