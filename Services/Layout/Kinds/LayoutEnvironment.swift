// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// What a layout is drawn with: the display, the moment, and the means to measure and to write.
struct LayoutEnvironment {
    let display: Display
    let moment: WidgetMoment
    let area: DisplayArea
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
        area = DisplayArea(display, definition: moment.definition, isRightToLeft: place.isRightToLeft)
    }

    var isRightToLeft: Bool { place.isRightToLeft }
    var language: WidgetLanguage { place.language }

    /// The text size that counts on this display.
    var contentSizeCategory: ContentSizeCategory { display.family.textSize(display.contentSizeCategory) }

    /// Whether text is so large that views beside one another do better one below the other.
    var isAccessibilitySize: Bool { contentSizeCategory >= .accessibilityMedium }

    /// The height of a Today widget's compact mode here, or what it would be where there is none.
    var compactHeight: Double {
        let regular = CompactHeights.regular.height(contentSizeCategory).value
        return area.grid.down(DisplayArea.length(display.compactHeight ?? regular))
    }

    /// The widget's day.
    var today: CalendarDate { moment.day(on: display) }

    /// The font of a text style at the display's text size.
    func font(_ style: LayoutFont.Style, _ weight: LayoutFont.Weight = .regular) -> LayoutFont {
        LayoutFont(style, weight, in: contentSizeCategory)
    }

    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        measurer.measure(text, font: font, width: width, maximumLines: maximumLines)
    }

    // MARK: In the display's language

    /// Words of the widget's own.
    func words(_ text: WidgetText) -> String { text.string(in: language) }

    /// A short date.
    func date(_ instant: Instant) -> String? { formats.date(instant, at: place) }

    /// A short date and the time of day.
    func dateAndTime(_ instant: Instant) -> String? { formats.dateAndTime(instant, at: place) }

    /// Shorter forms of a date, for where it would be cut.
    func shorterDates(_ instant: Instant?, timed: Bool = false) -> [String] {
        guard let instant else { return [] }
        return [timed ? date(instant) : nil, formats.numericDate(instant, at: place)].compactMap(\.self)
    }

    /// "Today", or the day's name; short where that is what there is room for.
    func name(of date: CalendarDate, isShort: Bool = false) -> String {
        date == today ? words(.today) : formats.weekday(of: date, isShort: isShort, locale: display.locale)
    }

    /// How wide a text is in one line.
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
