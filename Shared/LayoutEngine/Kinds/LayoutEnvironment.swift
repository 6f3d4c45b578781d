// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The display and the moment of a layout, with the means to measure text and to format values.
struct LayoutEnvironment {
    let display: Display
    let moment: WidgetMoment
    let area: DisplayArea
    /// The factor of all sizes of type and symbols: panels have larger ones, the more room they have.
    private(set) var typeScale = 1.0
    /// The number of columns that rows may stand in.
    private(set) var panelColumns = 1
    /// The counter of broken words while a scale is tried.
    private(set) var findings: WordFindings?
    private let measurer: any TextMeasuring
    private let formats: LocaleFormats
    private let place: LocaleFormats.Place

    init(display: Display, moment: WidgetMoment, measurer: any TextMeasuring, formats: LocaleFormats) {
        self.display = display
        self.moment = moment
        self.measurer = measurer
        self.formats = formats
        // The widget's own time zone wins over the display's.
        place = formats.place(
            locale: display.locale,
            timeZone: moment.definition.timeZone ?? display.timeZone,
            hourCycle: display.hourCycle
        )
        area = DisplayArea(display, definition: moment.definition, isRightToLeft: Self.isRightToLeft(display, place))
    }

    var isRightToLeft: Bool { Self.isRightToLeft(display, place) }

    private static func isRightToLeft(_ display: Display, _ place: LocaleFormats.Place) -> Bool {
        display.direction.map { $0 == .rightToLeft } ?? place.isRightToLeft
    }

    var language: WidgetLanguage { place.language }

    /// The text size that counts on this display.
    var contentSizeCategory: ContentSizeCategory { display.family.textSize(display.contentSizeCategory) }

    /// A Boolean value that indicates whether text is so large that views should stand below instead of beside one another.
    var isAccessibilitySize: Bool { contentSizeCategory >= .accessibilityMedium }

    /// The height of a Today widget's compact mode, also on displays without it.
    var compactHeight: Double { area.grid.down(hostsCompactHeight) }

    /// The height of compact mode as the host states it, which may be a fraction of a pixel.
    var hostsCompactHeight: Double {
        let regular = CompactHeights.regular.height(contentSizeCategory).value
        return DisplayArea.length(display.compactHeight ?? regular)
    }

    /// The day of an instant at the display.
    func day(of instant: Instant) -> CalendarDate {
        var other = moment
        other.instant = instant
        return other.day(on: display)
    }

    /// The widget's day.
    var today: CalendarDate { moment.day(on: display) }

    /// The font of a text style at the display's text size.
    func font(_ style: LayoutFont.Style, _ weight: LayoutFont.Weight = .regular) -> LayoutFont {
        LayoutFont(style, weight, scale: typeScale, in: contentSizeCategory)
    }

    /// The same with type of another scale, in columns.
    func scaled(by typeScale: Double, columns: Int = 1, words: WordFindings? = nil) -> LayoutEnvironment {
        var environment = self
        environment.findings = words
        environment.typeScale = typeScale
        environment.panelColumns = columns
        return environment
    }

    /// The width of one column of rows, without its margins.
    var columnWidth: Double {
        guard panelColumns > 1 else { return area.textWidth }
        return (area.right - area.left) / Double(panelColumns) - 2 * columnMargin
    }

    /// The margin beside a column where another one stands: hosts with margins of their own leave none for texts.
    var columnMargin: Double {
        max(area.leadingTextMargin, area.trailingTextMargin, DisplayArea.textMargin / 2)
    }

    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        measurer.measure(text, font: font, width: width, maximumLines: maximumLines)
    }

    // MARK: In the display's language

    /// Words of the widget's own.
    func words(_ text: WidgetText) -> String { text.string(in: language) }

    /// A date in the form that the widget's configuration chose.
    func date(_ instant: Instant) -> String? {
        moment.definition.dateStyle == .short
            ? formats.numericDate(instant, at: place) : formats.date(instant, at: place)
    }

    /// A date and the time of day.
    func dateAndTime(_ instant: Instant) -> String? {
        moment.definition.dateStyle == .short
            ? formats.numericDateAndTime(instant, at: place) : formats.dateAndTime(instant, at: place)
    }

    /// Returns shorter forms of a date, which are used if it would be cut.
    func shorterDates(_ instant: Instant?, timed: Bool = false) -> [String] {
        guard let instant else { return [] }
        return [timed ? date(instant) : nil, formats.numericDate(instant, at: place)].compactMap(\.self)
    }

    /// Returns "Today" or the name of the day.
    func name(of date: CalendarDate, isShort: Bool = false) -> String {
        date == today ? words(.today) : formats.weekday(of: date, isShort: isShort, locale: display.locale)
    }

    /// Returns the width of a text in one line.
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
