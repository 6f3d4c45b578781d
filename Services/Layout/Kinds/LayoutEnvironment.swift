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
        area = DisplayArea(display, isRightToLeft: isRightToLeft)
    }

    enum Alignment {
        /// Left where text runs left to right.
        case leading
        case center
    }

    /// The font of a text style at the display's text size.
    func font(_ style: LayoutFont.Style, _ weight: LayoutFont.Weight = .regular) -> LayoutFont {
        LayoutFont(style, weight, in: display.contentSizeCategory)
    }

    /// A short date in the display's locale; the widget's own time zone wins over the display's.
    func date(_ instant: Instant) -> String? {
        formats.date(
            instant,
            locale: display.locale,
            timeZone: moment.definition.timeZone ?? display.timeZone
        )
    }

    /// A label of as many lines as its frame is high, centred in it from top to bottom; at least one.
    func label(
        _ text: DisplayText,
        font: LayoutFont,
        color: LayoutText.ColorRole,
        alignment: Alignment = .leading,
        frame: Rectangle
    ) -> LayoutView {
        let measured = measurer.measure(
            text,
            font: font,
            width: frame.width,
            maximumLines: max(Int(frame.height / font.leading), 1)
        )
        let top = (frame.height - Double(measured.count) * font.leading) / 2
        let lines = measured.map { line in
            let width = min(area.grid.up(line.width), frame.width)
            let x: Double =
                switch alignment {
                case .leading: isRightToLeft ? frame.width - width : 0
                case .center: (frame.width - width) / 2
                }
            return TextLine(
                text: line.text,
                x: area.grid.down(x),
                baseline: area.grid.nearest(top + line.baseline),
                width: width
            )
        }
        return LayoutView(kind: .label, frame: frame, text: LayoutText(lines: lines, font: font, color: color))
    }

    /// A line of one pixel at the bottom of the rows above it, from the text's leading edge to the rows' trailing edge.
    func divider(above y: Double) -> LayoutView {
        let margin = isRightToLeft ? area.rightTextMargin : area.leftTextMargin
        return LayoutView(
            kind: .divider,
            frame: Rectangle(
                x: isRightToLeft ? area.left : min(area.left + margin, area.right),
                y: y - area.grid.pixel,
                width: max(area.right - area.left - margin, 0),
                height: area.grid.pixel
            )
        )
    }
}
