// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The display and the time of a layout, with the functions that measure text and format values.
struct LayoutEnvironment {
    /// The values that are the same in all copies of an environment.
    ///
    /// Views copy their environment often, so these many values are behind one reference.
    private final class Common {
        let display: Display
        let moment: WidgetMoment
        let area: DisplayArea
        let measurer: any TextMeasuring
        let formats: LocaleFormats
        let place: LocaleFormats.Place
        let look: TextLook

        init(display: Display, moment: WidgetMoment, measurer: any TextMeasuring, formats: LocaleFormats) {
            self.display = display
            self.moment = moment
            self.measurer = measurer
            self.formats = formats
            look = TextLook(on: display)
            // The widget's own time zone takes precedence over the display's.
            place = formats.place(
                locale: display.locale,
                timeZone: moment.definition.timeZone ?? display.timeZone,
                hourCycle: display.hourCycle
            )
            let isRightToLeft = LayoutEnvironment.isRightToLeft(display, place)
            area = DisplayArea(display, definition: moment.definition, isRightToLeft: isRightToLeft)
        }
    }

    private let common: Common
    /// The factor by which all texts and symbols are scaled, for example on large panels.
    private(set) var typeScale = 1.0
    /// The maximum number of columns in which a table arranges its rows.
    private(set) var columns = 1
    /// The broken words and the tables that were found at the scale that is tried; nil if nothing is counted.
    ///
    /// They are counted only while the scale of a layout is chosen. Each scale that is tried has new findings.
    private(set) var findings: ScaleFindings?
    /// The minimum number of rows of a table; a table with space for fewer rows shows none.
    ///
    /// It is above 0 only while a scale is tried that is not used if rows are missing.
    private(set) var fewestRows = 0
    /// The form of the names below a quote.
    private(set) var names = QuoteLayout.NameForm.regular

    init(display: Display, moment: WidgetMoment, measurer: any TextMeasuring, formats: LocaleFormats) {
        common = Common(display: display, moment: moment, measurer: measurer, formats: formats)
    }

    var display: Display { common.display }
    var moment: WidgetMoment { common.moment }
    var area: DisplayArea { common.area }
    private var formats: LocaleFormats { common.formats }
    private var place: LocaleFormats.Place { common.place }

    var isRightToLeft: Bool { Self.isRightToLeft(display, place) }

    private static func isRightToLeft(_ display: Display, _ place: LocaleFormats.Place) -> Bool {
        display.direction.map { $0 == .rightToLeft } ?? place.isRightToLeft
    }

    var language: WidgetLanguage { place.language }

    /// The text size on this display.
    ///
    /// This is the size that the user has chosen, limited to the sizes that the display's `family` supports.
    var contentSizeCategory: ContentSizeCategory { display.family.textSize(display.contentSizeCategory) }

    /// A Boolean value that indicates whether the text is so large that views should be one below the other.
    var isAccessibilitySize: Bool { contentSizeCategory >= .accessibilityMedium }

    /// The height of a Today widget in compact mode in points, rounded down to whole pixels.
    ///
    /// The height is also defined for displays without compact mode.
    var compactHeight: Double { area.grid.down(hostsCompactHeight) }

    /// The height of compact mode in points, before it is rounded to whole pixels.
    ///
    /// If the host does not specify a height, this is the regular height for the text size.
    var hostsCompactHeight: Double {
        DisplayArea.length(display.compactHeight ?? CompactHeights.regular.height(contentSizeCategory))
    }

    /// Returns the height of compact mode at a text size, in points.
    ///
    /// The height is the current one if the host's heights are not known.
    func compactHeight(at category: ContentSizeCategory) -> Double {
        let tables = [CompactHeights.regular, .large]
        let table = tables.first { $0.height(contentSizeCategory) == hostsCompactHeight }
        return table?.height(category) ?? hostsCompactHeight
    }

    /// Returns the day of an instant in the widget's time zone, or in the display's time zone if the widget has none.
    func day(of instant: Instant) -> CalendarDate {
        var other = moment
        other.instant = instant
        return other.day(on: display)
    }

    /// The current day in the widget's time zone, or in the display's time zone if the widget has none.
    var today: CalendarDate { moment.day(on: display) }

    /// Returns the font of a text style at the display's text size.
    func font(_ style: LayoutFont.Style, _ weight: LayoutFont.Weight = .regular) -> LayoutFont {
        LayoutFont(style, weight, typeScale: typeScale, in: contentSizeCategory)
    }

    /// Returns a copy of the environment with another ``typeScale``, ``columns``, ``findings`` and ``fewestRows``.
    ///
    /// `typeScale` replaces the current scale. `columns` is the maximum number of columns in which a table arranges its
    /// rows. If `findings` is nil, nothing is counted.
    func scaled(
        by typeScale: Double,
        columns: Int = 1,
        findings: ScaleFindings? = nil,
        fewestRows: Int = 0
    ) -> LayoutEnvironment {
        var environment = self
        environment.findings = findings
        environment.fewestRows = fewestRows
        environment.typeScale = typeScale
        environment.columns = columns
        return environment
    }

    /// Returns a copy of the environment in which the names below a quote have another form.
    func withNames(_ names: QuoteLayout.NameForm) -> LayoutEnvironment {
        var environment = self
        environment.names = names
        return environment
    }

    /// Returns a copy of the environment that counts the labels that break a word in a new counter.
    func withNewFindings() -> LayoutEnvironment {
        scaled(by: typeScale, columns: columns, findings: ScaleFindings(), fewestRows: fewestRows)
    }

    /// The width of the text in one column of rows, in points.
    var columnWidth: Double {
        guard columns > 1 else { return area.textWidth }
        return (area.right - area.left) / Double(columns) - 2 * columnMargin
    }

    /// The margin between the text of a column and the next column, in points.
    ///
    /// The margin is never zero, although some hosts leave no margins for text.
    var columnMargin: Double {
        max(area.leadingTextMargin, area.trailingTextMargin, DisplayArea.textMargin / 2)
    }

    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        common.measurer.measure(text, font: font, width: width, maximumLines: maximumLines, look: common.look)
    }

    // MARK: In the display's language

    /// Returns a built-in text of widgets, such as "Show more", in the display's language.
    func words(_ text: WidgetText) -> String { text.string(in: language) }

    /// Returns a date in the configured format; nil if the instant is not in the years 1 to 9999.
    func date(_ instant: Instant) -> String? {
        moment.definition.dateStyle == .short
            ? formats.shortDate(instant, at: place) : formats.date(instant, at: place)
    }

    /// Returns a date and the time of day in the configured format; nil if the instant is not in the years 1 to 9999.
    func dateAndTime(_ instant: Instant) -> String? {
        moment.definition.dateStyle == .short
            ? formats.shortDateAndTime(instant, at: place) : formats.dateAndTime(instant, at: place)
    }

    /// Returns the time of day, such as `07:56`.
    func timeOfDay(_ instant: Instant) -> String { formats.timeOfDay(instant, at: place) }

    /// Returns the day and the abbreviated month in the order of the locale, such as `20 Nov`.
    func dayAndMonth(_ instant: Instant) -> String { formats.dayAndMonth(instant, at: place) }

    /// Returns the abbreviated month and the year, such as `Nov 2025`.
    func monthAndYear(_ instant: Instant) -> String { formats.monthAndYear(instant, at: place) }

    /// Returns the weekday, the day and the month of the current day, in the time zone and the language of the display.
    func headerDate(isLong: Bool) -> String {
        formats.weekdayAndDate(display.date(at: moment.instant), isLong: isLong, locale: display.locale)
    }

    /// Returns shorter forms of a date, the longest of them first.
    ///
    /// A label shows a shorter form if the ordinary form does not fit. If `timed` is true, the ordinary form includes
    /// the time of day; the longest of the shorter forms is then the date without the time. Returns an empty array if
    /// `instant` is nil or not in the years 1 to 9999.
    func shorterDates(_ instant: Instant?, timed: Bool = false) -> [String] {
        guard let instant else { return [] }
        return [timed ? date(instant) : nil, formats.shortDate(instant, at: place)].compactMap(\.self)
    }

    /// Returns "Today" for the current day, and the name of the weekday for other days, in the display's language.
    func name(of date: CalendarDate, length: LocaleFormats.WeekdayLength = .wide) -> String {
        date == today ? words(.today) : formats.weekday(of: date, length: length, locale: display.locale)
    }

    /// Returns the width of a text that is not broken into lines, in points, rounded up to whole pixels.
    func width(of text: DisplayText, font: LayoutFont) -> Double {
        let lines = measure(text, font: font, width: DisplayArea.maximumLength, maximumLines: 1)
        return area.grid.up(lines.first?.width ?? 0)
    }

    func temperature(celsius: Double?) -> String? {
        celsius.flatMap { formats.temperature(celsius: $0, locale: display.locale) }
    }

    func text(_ value: RowValue) -> String? {
        switch value {
        case .text(let text): text
        case .number(let number): formats.number(number, locale: display.locale)
        case .date(let instant): date(instant)
        }
    }
}
