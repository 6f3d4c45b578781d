// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of a weather forecast for today and the next four days.
///
/// The row of the first day is higher than the other rows. In compact mode, only this row is shown. Past days are not
/// shown. A tap on a row opens its day in the app.
struct ForecastLayout: WidgetLayout {
    static let maximumDays = ForecastLink.forecastDays
    static let spacing = 12.0
    static let stackSpacing = 2.0
    /// The factor by which the first day's symbol is larger than a regular symbol of the text style `largeTitle`.
    static let symbolScale = 1.2
    /// The distance between a day's symbol, name and temperature in narrow rows, in points.
    static let narrowSpacing = 4.0
    /// The distance between the first day and the other days if they are side by side, in points.
    static let gapOfHalves = 32.0
    /// The minimum width of the text for a weather condition, as a multiple of the font size.
    ///
    /// Narrower texts would be incomprehensible.
    static let narrowestCondition = 5.0

    var empty: Placeholder { .empty(.noForecast) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        let days = Self.days(of: content, environment)
        guard let first = days.first else { return nil }
        let heights = Self.heights(days, environment)
        guard environment.display.family == .systemExtraLarge, days.count > 1, let other = heights.levels.first?.other
        else {
            return Self.table(
                days,
                TableForm(
                    first: first,
                    heights: heights,
                    width: environment.area.textWidth
                ),
                environment
            )
        }
        // Two halves side by side: each is so narrow that temperatures are close to their days.
        let (area, gap) = (environment.area, Self.gapOfHalves)
        let half = area.grid.down((area.right - area.left - gap) / 2)
        let width = half - area.leadingTextMargin - area.trailingTextMargin
        let others = RowHeights([RowHeights.Level(first: other, other: other)])
        return HorizontalStack(spacing: gap) {
            Frame(
                width: .points(half),
                Self.table([first], TableForm(first: first, heights: heights, width: width), environment)
            )
            Frame(
                width: .points(half),
                Self.table(
                    Array(days.dropFirst()),
                    TableForm(first: first, heights: others, width: width),
                    environment
                )
            )
        }
    }

    /// The row heights and the width of a table of days.
    private struct TableForm {
        /// The first day, whose row is higher than the rows of the other days.
        let first: ForecastDay
        let heights: RowHeights
        /// The width that a row has for its symbol and its texts, in points.
        let width: Double
    }

    private static func table(
        _ days: [ForecastDay],
        _ form: TableForm,
        _ environment: LayoutEnvironment
    ) -> Table {
        let first = form.first
        let arrangement = Arrangement(days.filter { $0 != first }, width: form.width, in: environment)
        return Table(
            days,
            heights: form.heights,
            limits: RowLimits(collapsed: 1, expanded: maximumDays)
        ) { day, _ in
            TableRow(
                id: day.date.description,
                action: action(of: day, environment),
                day == first ? firstRow(day, environment) : row(day, arrangement, environment)
            )
        }
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        guard let day = Self.days(of: content, environment).first else { return nil }
        let high = environment.temperature(celsius: day.high)
        let low = environment.temperature(celsius: day.low)
        let single = Temperatures(of: day, in: environment).single
        let condition = day.conditionWords(in: environment.language)
        let range = Self.range(of: day, environment)
        return AccessoryLayout(
            symbol: day.condition.symbol,
            title: [environment.name(of: day.date), single].compactMap(\.self).joined(separator: " "),
            short: range ?? environment.name(of: day.date),
            inline: [range, condition].compactMap(\.self).joined(separator: " "),
            details: [[condition], [low != nil && high != nil ? "\(low ?? "") – \(high ?? "")" : single ?? ""]],
            action: Self.action(of: day, environment)
        )
    }

    /// Returns the low and the high temperature, such as `40–53°`.
    ///
    /// Returns only one of them if the other is equal or unknown, and nil if both are unknown. A low temperature alone
    /// is marked as one.
    private static func range(of day: ForecastDay, _ environment: LayoutEnvironment) -> String? {
        guard let high = environment.temperature(celsius: day.high),
            let low = environment.temperature(celsius: day.low)
        else { return Temperatures(of: day, in: environment).single }
        guard high != low else { return low }
        let first = low.hasSuffix("°") ? String(low.dropLast()) : low
        return first.hasPrefix("-") || high.hasPrefix("-") ? "\(low)/\(high)" : "\(first)–\(high)"
    }

    static func action(of day: ForecastDay, _ environment: LayoutEnvironment) -> LayoutAction? {
        let link = ForecastLink(daysFromNow: day.date.daysSince1970 - environment.today.daysSince1970)
        return .opening(link: link.url(from: environment.moment.definition.link ?? ForecastLink.defaultBase))
    }

    /// Returns the known days from today to the fourth day after it.
    private static func days(of content: Content, _ environment: LayoutEnvironment) -> [ForecastDay] {
        guard case .forecast(let forecast) = content else { return [] }
        let today = environment.today.daysSince1970
        return forecast.days.filter { (today..<(today + maximumDays)).contains($0.date.daysSince1970) }
    }

    private static func heights(_ days: [ForecastDay], _ environment: LayoutEnvironment) -> RowHeights {
        let grid = environment.area.grid
        let line = grid.up(environment.font(.body).leading)
        let second = hasLargeType(environment) ? line : grid.up(environment.font(.caption1).leading)
        let other = line + second + 2 * RowHeights.padding
        let styles: [LayoutFont.Style] =
            isStacked(environment) ? [.title2, .headline, .subheadline] : [.title1, .subheadline]
        let spaces = isStacked(environment) ? 2 * stackSpacing : 0
        var natural = styles.reduce(spaces + 2 * RowHeights.padding) { $0 + grid.up(environment.font($1).leading) }
        let subheadline = grid.up(environment.font(.subheadline).leading)
        if environment.display.family.isFixed, let first = days.first, wraps(first, environment) {
            // The condition gets a second line if the same number of days still fits.
            func rows(_ first: Double) -> Int {
                let level = RowHeights.Level(first: first, other: other)
                return RowHeights([level]).fitting(level, rows: days.count, in: environment.area.roomHeight).count
            }
            if rows(natural + subheadline) == rows(natural) { natural += subheadline }
        }
        let compact = environment.compactHeight - environment.area.top - environment.area.bottom
        // On hosts with modes, the first row fills compact mode, and does not move when the widget expands.
        let first = environment.display.family.isFixed ? natural : max(compact, natural)
        return RowHeights([
            RowHeights.Level(first: first, other: other),
            RowHeights.Level(first: natural, other: other),
            RowHeights.Level(first: natural - subheadline, other: other),
            RowHeights.Level(first: line + 2 * RowHeights.padding, other: other),
        ])
    }

    /// Returns whether the text for the first day's weather condition needs a second line.
    private static func wraps(_ day: ForecastDay, _ environment: LayoutEnvironment) -> Bool {
        let condition = DisplayText(day.conditionWords(in: environment.language))
        var room = environment.area.textWidth
        if !isStacked(environment) {
            func width(_ celsius: Double?, _ style: LayoutFont.Style) -> Double {
                environment.width(
                    of: DisplayText(environment.temperature(celsius: celsius) ?? ""),
                    font: environment.font(style)
                )
            }
            let symbol = symbolScale * environment.font(.largeTitle).leading
            room -= symbol + max(width(day.high, .title1), width(day.low, .subheadline)) + 2 * spacing
        }
        return environment.width(of: condition, font: environment.font(.subheadline)) > room
    }

    /// Returns whether the first row shows the symbol and the temperatures above the other texts, not beside them.
    private static func isStacked(_ environment: LayoutEnvironment) -> Bool {
        hasLargeType(environment) || environment.area.isNarrow
    }

    // MARK: Rows

    private static func firstRow(_ day: ForecastDay, _ environment: LayoutEnvironment) -> any View {
        let name = Label(DisplayText(environment.name(of: day.date)), .headline, weight: .semibold, priority: 3)
        let condition = Label(
            DisplayText(day.conditionWords(in: environment.language)),
            .subheadline,
            color: .secondaryLabel,
            lines: 2,
            priority: 1
        )
        let texts = Temperatures(of: day, in: environment)
        if isStacked(environment) {
            return VerticalStack(spacing: stackSpacing) {
                complete(
                    temperatures(low: texts.low, high: texts.high, beside: day.condition.symbol, environment),
                    texts,
                    others: [
                        temperatures(low: "", high: texts.single ?? "", beside: day.condition.symbol, environment)
                    ] + singles(texts, [.title2, .body])
                )
                name
                condition
            }
        }
        return HorizontalStack(spacing: spacing) {
            Symbol(day.condition.symbol.rawValue, .largeTitle, scale: symbolScale)
            VerticalStack(priority: 1) {
                name
                condition
            }
            complete(
                VerticalStack(alignment: .trailing, priority: 2) {
                    Label(DisplayText(texts.high), .title1, isHugging: true, priority: 1)
                    Label(DisplayText(texts.low), .subheadline, color: .secondaryLabel, isHugging: true)
                },
                texts,
                others: singles(texts, [.title1, .title2, .body])
            )
        }
    }

    /// Returns a line with the first day's symbol and temperatures.
    ///
    /// The first row shows this line above its other texts if `isStacked` is true. If the display is too narrow for the
    /// line, the distances and the font of the low temperature are smaller. They are not changed if
    /// ``hasLargeType(_:)`` is true.
    private static func temperatures(
        low: String,
        high: String,
        beside symbol: SymbolName,
        _ environment: LayoutEnvironment
    ) -> any View {
        let symbol = Symbol(symbol.rawValue, .title2, priority: 2)
        let highLabel = Label(DisplayText(high), .title2, isHugging: true, priority: 3)
        func lowLabel(_ scale: Double = 1) -> Label {
            Label(DisplayText(low), .body, scale: scale, color: .secondaryLabel, isHugging: true, priority: 1)
        }
        if hasLargeType(environment) {
            return HorizontalStack(spacing: spacing / 2, priority: 2) {
                symbol
                Frame(
                    width: .room,
                    horizontal: .trailing,
                    HorizontalStack(spacing: spacing, alignment: .firstBaseline) {
                        lowLabel()
                        highLabel
                    }
                )
            }
        }
        // On hosts that limit the text size, the low temperature has room at all sizes, so that it never becomes smaller.
        let largest =
            environment.display.family.isFixed
            ? LayoutFont(.title2, .regular, in: Display.Family.largestOfWidgetKit) : environment.font(.title2)
        let width = largest.leading + environment.width(of: DisplayText(high), font: largest)
        let body = environment.font(.body).size
        func fits(_ scale: Double, _ spacing: Double) -> Bool {
            let font = lowLabel(scale).font(in: environment)
            return width + environment.width(of: DisplayText(low), font: font) + 2 * spacing
                <= environment.area.textWidth
        }
        if fits(1, spacing / 2) {
            return HorizontalStack(spacing: spacing / 2, priority: 2) {
                symbol
                highLabel
                lowLabel()
            }
        }
        let smaller = TypeLadder.descending(below: body + 1, atLeast: environment.font(.footnote).size)
            .map { $0 / body }
        let scale = smaller.first { fits($0, narrowSpacing) } ?? smaller.last ?? 1
        return HorizontalStack(spacing: narrowSpacing, priority: 2) {
            symbol
            highLabel
            lowLabel(scale)
        }
    }

    private static func row(
        _ day: ForecastDay,
        _ arrangement: Arrangement,
        _ environment: LayoutEnvironment
    ) -> any View {
        let symbol = arrangement.hasSymbol ? Symbol(day.condition.symbol.rawValue, .body, priority: 5) : nil
        let name = Label(
            DisplayText(environment.name(of: day.date, length: arrangement.names)),
            .body,
            priority: 3
        )
        var highColumn = TemperatureColumn(width: arrangement.highWidth, color: .label, priority: 4)
        highColumn.style = arrangement.temperatures
        let texts = Temperatures(of: day, in: environment)
        let high = temperature(arrangement.hasLow ? texts.high : texts.single ?? "", in: highColumn)
        var lowColumn = TemperatureColumn(width: arrangement.lowWidth, color: .secondaryLabel, priority: 3)
        lowColumn.style = arrangement.temperatures
        let low = arrangement.hasLow ? texts.low : ""
        switch arrangement.form {
        case .columns, .stacked:
            let isStacked = arrangement.form == .stacked
            if isStacked { lowColumn.style = .caption1 }
            let lowView = temperature(low, in: lowColumn)
            return HorizontalStack(spacing: arrangement.gap) {
                symbol
                VerticalStack(priority: 3) {
                    name
                    if arrangement.hasCondition {
                        Label(
                            DisplayText(day.conditionWords(in: environment.language)),
                            .caption1,
                            color: .secondaryLabel
                        )
                    }
                }
                if isStacked {
                    complete(
                        VerticalStack(alignment: .trailing, priority: 4) {
                            high?.withPriority(1)
                            lowView
                        },
                        texts,
                        others: texts.isLoneLow
                            ? singles(texts, [lowColumn.style], color: .secondaryLabel)
                            : singles(texts, [.body, lowColumn.style])
                    )
                } else {
                    lowView
                    high
                }
            }
        case .belowName:
            let lowView = temperature(low, in: lowColumn)
            let condition = Label(
                DisplayText(arrangement.hasCondition ? day.conditionWords(in: environment.language) : ""),
                .caption1,
                color: .secondaryLabel
            )
            return VerticalStack {
                name.withPriority(1)
                HorizontalStack(spacing: arrangement.gap) {
                    symbol
                    arrangement.hasCondition ? condition : nil
                    Frame(
                        width: arrangement.hasCondition ? .content : .room,
                        horizontal: .trailing,
                        HorizontalStack(spacing: arrangement.gap, priority: 4) {
                            lowView
                            high
                        }
                    )
                }
            }
        }
    }

    /// The format of the high temperatures, or of the low temperatures, in the rows after the first.
    ///
    /// The `width`, in points, is the same in all of these rows, so that their temperatures are aligned.
    private struct TemperatureColumn {
        let width: Double
        var style = LayoutFont.Style.body
        let color: LayoutText.ColorRole
        let priority: Int
    }

    private static func temperature(_ text: String, in column: TemperatureColumn) -> Frame? {
        guard !text.isEmpty else { return nil }
        let label = Label(
            DisplayText(text),
            column.style,
            color: column.color,
            alignment: .trailing,
            priority: column.priority
        )
        return Frame(width: .points(column.width), label)
    }
}
