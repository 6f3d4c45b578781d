// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension ForecastLayout {
    /// The arrangement of the columns in all rows after the first.
    ///
    /// All of these rows use the same columns, so that their texts are aligned. No temperature and no name of a day is
    /// cut.
    struct Arrangement: Hashable {
        enum Form: Hashable {
            /// The temperatures are side by side.
            case columns
            /// The low temperature is below the high one.
            case stacked
            /// Both temperatures are below the day's name, for accessibility text sizes.
            case belowName
        }

        var form: Form
        var hasSymbol = true
        var names = LocaleFormats.WeekdayLength.wide
        var hasCondition = true
        var hasLow = true
        /// The text style of the temperatures; in the form `stacked`, only that of the high temperature.
        var temperatures = LayoutFont.Style.body
        /// The distance between adjacent columns of a row, such as the symbol and the day's name, in points.
        var gap = ForecastLayout.spacing
        var highWidth = 0.0
        var lowWidth = 0.0

        /// Creates the arrangement for the rows that show `days`.
        ///
        /// `room` is the width that each row has for its symbol and its texts, in points.
        init(_ days: [ForecastDay], width room: Double, in environment: LayoutEnvironment) {
            let body = environment.font(.body)
            func width(_ texts: [String], _ font: LayoutFont) -> Double {
                texts.reduce(environment.area.grid.up(Label.narrowest * font.size)) {
                    max($0, environment.width(of: DisplayText($1), font: font))
                }
            }
            let texts = days.map { Temperatures(of: $0, in: environment) }
            let lows = texts.map(\.low)
            let highs = texts.map(\.high)
            let names = width(days.map { environment.name(of: $0.date) }, body)
            let symbol = environment.area.grid.nearest(body.leading)
            let (high, low) = (width(highs, body), width(lows, body))
            let leading = symbol + gap
            let narrowestCondition = ForecastLayout.narrowestCondition * environment.font(.caption1).size
            (highWidth, lowWidth) = (high, low)
            if ForecastLayout.hasLargeType(environment) {
                form = .belowName
                self.names = names > room ? .abbreviated : .wide
                hasSymbol = leading + high <= room
                // Temperatures become smaller before the low one is omitted.
                for style in [LayoutFont.Style.body, .subheadline, .footnote] {
                    for space in [ForecastLayout.spacing, ForecastLayout.narrowSpacing] {
                        (temperatures, gap) = (style, space)
                        (highWidth, lowWidth) = (
                            width(highs, environment.font(style)), width(lows, environment.font(style))
                        )
                        let used = (hasSymbol ? symbol + gap : 0) + highWidth + gap + lowWidth
                        guard used <= room else { continue }
                        let caption = environment.font(.caption1)
                        let conditions = days.map { $0.conditionWords(in: environment.language) }
                        hasCondition = used + gap + width(conditions, caption) <= room
                        return
                    }
                }
                (temperatures, gap, hasCondition, hasLow) = (.body, ForecastLayout.spacing, false, false)
                (highWidth, lowWidth) = (width(texts.map { $0.single ?? "" }, body), low)
                return
            }
            if leading + names + gap + low + gap + high <= room {
                form = .columns
                hasCondition = room - leading - gap - low - gap - high >= narrowestCondition
                return
            }
            form = .stacked
            lowWidth = width(lows, environment.font(.caption1))
            let trailing = gap + max(high, lowWidth)
            if leading + names + trailing <= room {
                hasCondition = room - leading - trailing >= narrowestCondition
                return
            }
            hasCondition = false
            // Names and gaps become shorter before the symbol is omitted, because the symbol says more.
            for length in [LocaleFormats.WeekdayLength.abbreviated, .short] {
                let shortNames = width(days.map { environment.name(of: $0.date, length: length) }, body)
                for gap in [ForecastLayout.spacing, ForecastLayout.narrowSpacing]
                where leading + shortNames + trailing - 2 * (ForecastLayout.spacing - gap) <= room {
                    (self.names, self.gap) = (length, gap)
                    return
                }
            }
            (self.names, hasSymbol) = (.abbreviated, false)
        }
    }

    /// Returns whether the text is so large that a temperature does not fit beside the name of its day.
    static func hasLargeType(_ environment: LayoutEnvironment) -> Bool { environment.isAccessibilitySize }
}
