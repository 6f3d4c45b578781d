// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What a layout is drawn with: the display, the moment, and the means to measure and to write.
struct LayoutEnvironment {
    let display: Display
    let moment: WidgetMoment
    let area: DisplayArea
    let isRightToLeft: Bool
    private let measurer: any TextMeasuring
    private let formats: LocaleFormats

    init(display: Display, moment: WidgetMoment, measurer: any TextMeasuring, formats: LocaleFormats) {
        self.display = display
        self.moment = moment
        self.measurer = measurer
        self.formats = formats
        isRightToLeft = formats.isRightToLeft(locale: display.locale)
        area = DisplayArea(display, definition: moment.definition, isRightToLeft: isRightToLeft)
    }

    /// The text size that counts on this display.
    var contentSizeCategory: ContentSizeCategory { display.family.textSize(display.contentSizeCategory) }

    /// The widget's own time zone wins over the display's.
    var timeZone: String { moment.definition.timeZone ?? display.timeZone }

    /// The font of a text style at the display's text size.
    func font(_ style: LayoutFont.Style, _ weight: LayoutFont.Weight = .regular) -> LayoutFont {
        LayoutFont(style, weight, in: contentSizeCategory)
    }

    /// A short date in the display's locale.
    func date(_ instant: Instant) -> String? {
        formats.date(instant, locale: display.locale, timeZone: timeZone)
    }

    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        measurer.measure(text, font: font, width: width, maximumLines: maximumLines)
    }
}
