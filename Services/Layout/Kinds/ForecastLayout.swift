// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out the weather of today and the four days after: a high first row that is all of compact mode, and rows for
/// the others.
///
/// At midnight the days move on: those that have passed are not shown. A tap opens the day in the app.
struct ForecastLayout: WidgetLayout {
    static let maximumDays = 5
    static let spacing = 12.0
    static let stackSpacing = 2.0
    /// Of the columns with temperatures, in times the font's size.
    static let temperatureWidth = 2.8
    /// Narrower displays have no room for views beside one another, in points.
    static let narrow = 200.0

    var empty: Placeholder { .empty(.noForecast) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        let days = Self.days(of: content, environment)
        guard let first = days.first else { return nil }
        return Table(
            days,
            heights: Self.heights(environment),
            limits: RowLimits(collapsed: 1, expanded: Self.maximumDays)
        ) { day in
            let offset = day.date.daysSince1970 - environment.today.daysSince1970
            return TableRow(
                id: day.date.description,
                action: .open(url: ForecastLink(daysFromNow: offset).url),
                day == first ? Self.firstRow(day, environment) : Self.row(day, environment)
            )
        }
    }

    func glance(of content: Content, in environment: LayoutEnvironment) -> Glance? {
        guard let day = Self.days(of: content, environment).first else { return nil }
        let high = environment.temperature(celsius: day.high)
        let low = environment.temperature(celsius: day.low)
        let condition = day.condition.words(in: environment.language)
        return Glance(
            symbol: day.condition.symbol,
            title: [environment.name(of: day.date), high].compactMap(\.self).joined(separator: " "),
            short: high ?? environment.name(of: day.date),
            details: [condition, [low, high].compactMap(\.self).joined(separator: " – ")],
            action: .open(
                url: ForecastLink(daysFromNow: day.date.daysSince1970 - environment.today.daysSince1970).url
            )
        )
    }

    /// Day 0 to day 4, as far as they are known.
    private static func days(of content: Content, _ environment: LayoutEnvironment) -> [ForecastDay] {
        guard case .forecast(let forecast) = content else { return [] }
        let today = environment.today.daysSince1970
        return forecast.days.filter { (today..<(today + maximumDays)).contains($0.date.daysSince1970) }
    }

    private static func heights(_ environment: LayoutEnvironment) -> RowHeights {
        let grid = environment.area.grid
        let line = grid.up(environment.font(.body).leading)
        let second = environment.isAccessibilitySize ? line : grid.up(environment.font(.caption1).leading)
        let other = line + second + 2 * RowHeights.padding
        let styles: [LayoutFont.Style] =
            isStacked(environment) ? [.title2, .headline, .subheadline] : [.title1, .subheadline]
        let spaces = isStacked(environment) ? 2 * stackSpacing : 0
        let natural = styles.reduce(spaces + 2 * RowHeights.padding) { $0 + grid.up(environment.font($1).leading) }
        let compact = environment.compactHeight - environment.area.top - environment.area.bottom
        // Where there are modes, the first row is all of compact mode, and stays where it is when the widget expands.
        let first = environment.display.family.isFixed ? natural : max(compact, natural)
        return RowHeights([
            RowHeights.Level(first: first, other: other),
            RowHeights.Level(first: natural, other: other),
            RowHeights.Level(first: line + 2 * RowHeights.padding, other: other),
        ])
    }

    /// Whether the first row has its parts below one another.
    private static func isStacked(_ environment: LayoutEnvironment) -> Bool {
        environment.isAccessibilitySize || environment.area.right - environment.area.left < narrow
    }

    // MARK: Rows

    private static func firstRow(_ day: ForecastDay, _ environment: LayoutEnvironment) -> any View {
        let name = Label(DisplayText(environment.name(of: day.date)), .headline, weight: .semibold, priority: 3)
        let condition = Label(
            DisplayText(day.condition.words(in: environment.language)),
            .subheadline,
            color: .secondaryLabel,
            lines: 2,
            priority: 1
        )
        let high = environment.temperature(celsius: day.high) ?? ""
        let low = environment.temperature(celsius: day.low) ?? ""
        if isStacked(environment) {
            return VerticalStack(spacing: stackSpacing) {
                HorizontalStack(spacing: spacing / 2, priority: 2) {
                    Symbol(day.condition.symbol.rawValue, .title2)
                    Label(DisplayText(high), .title2, isHugging: true, priority: 3)
                    Label(DisplayText(low), .body, color: .secondaryLabel, isHugging: true, priority: 1)
                }
                name
                condition
            }
        }
        return HorizontalStack(spacing: spacing) {
            Symbol(day.condition.symbol.rawValue, .largeTitle, scale: 1.2)
            VerticalStack(priority: 1) {
                name
                condition
            }
            VerticalStack(alignment: .trailing, priority: 2) {
                Label(DisplayText(high), .title1, isHugging: true, priority: 1)
                Label(DisplayText(low), .subheadline, color: .secondaryLabel, isHugging: true)
            }
        }
    }

    private static func row(_ day: ForecastDay, _ environment: LayoutEnvironment) -> any View {
        let symbol = Symbol(day.condition.symbol.rawValue, .body, priority: 2)
        let name = Label(DisplayText(environment.name(of: day.date)), .body, priority: 3)
        let low = temperature(day.low, .secondaryLabel, priority: 3, environment)
        let high = temperature(day.high, .label, priority: 4, environment)
        guard environment.isAccessibilitySize else {
            return HorizontalStack(spacing: spacing) {
                symbol
                VerticalStack(priority: 3) {
                    name
                    Label(
                        DisplayText(day.condition.words(in: environment.language)),
                        .caption1,
                        color: .secondaryLabel
                    )
                }
                low
                high
            }
        }
        return VerticalStack {
            name
            HorizontalStack(spacing: spacing) {
                symbol
                low
                high
            }
        }
    }

    /// In columns, so that those of all rows stand below one another.
    private static func temperature(
        _ celsius: Double?,
        _ color: LayoutText.ColorRole,
        priority: Int,
        _ environment: LayoutEnvironment
    ) -> (any View)? {
        guard let text = environment.temperature(celsius: celsius) else { return nil }
        let width = environment.area.grid.up(temperatureWidth * environment.font(.body).size)
        let label = Label(DisplayText(text), .body, color: color, alignment: .trailing, priority: priority)
        return Frame(width: .points(width), label)
    }
}
