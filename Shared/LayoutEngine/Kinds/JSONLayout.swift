// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out rows of any JSON document that the configuration described, each with a title and an optional subtitle and date.
struct JSONLayout: WidgetLayout {
    var empty: Placeholder { .empty(.noRows) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard case .json(let list) = content, !list.rows.isEmpty else { return nil }
        var fonts = [environment.font(.subheadline, .semibold)]
        // Rows are equally high, and none has room for what no row has.
        if list.rows.contains(where: { $0.subtitle != nil }) { fonts.append(environment.font(.caption1)) }
        if list.rows.contains(where: { $0.date != nil }) { fonts.append(environment.font(.caption1)) }
        let titles = RowTitles(
            { Self.title(of: list.rows[$0], environment) },
            font: fonts[0],
            width: environment.columnWidth,
            in: environment
        )
        return Table(
            list.rows,
            heights: RowHeights(lines: fonts, grid: environment.area.grid),
            limits: environment.moment.definition.rows,
            titles: titles
        ) { row, titleLines in
            TableRow(
                id: row.id,
                action: row.link.flatMap(LayoutAction.opening(link:)),
                alignment: .top,
                VerticalStack {
                    Label(
                        Self.title(of: row, environment),
                        .subheadline,
                        weight: .semibold,
                        lines: titleLines,
                        minimumLines: titleLines,
                        priority: 1
                    )
                    Label(
                        DisplayText(row.subtitle.flatMap(environment.text) ?? ""),
                        .caption1,
                        color: .secondaryLabel
                    )
                    Label(DisplayText(row.date.flatMap(environment.date) ?? ""), .caption1, color: .secondaryLabel) {
                        [date = row.date] in $0.shorterDates(date).map { DisplayText($0) }
                    }
                }
            )
        }
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        guard case .json(let list) = content, let row = list.rows.first else { return nil }
        return AccessoryLayout(
            symbol: .list,
            title: Self.title(of: row, environment).string,
            details: [
                row.subtitle.flatMap(environment.text).map { [$0] },
                row.date.flatMap(environment.date).map { [$0] + environment.shorterDates(row.date) },
            ].compactMap(\.self),
            action: row.link.flatMap(LayoutAction.opening(link:))
        )
    }

    private static func title(of row: ContentRow, _ environment: LayoutEnvironment) -> DisplayText {
        let title = DisplayText(environment.text(row.title) ?? "")
        return title.isEmpty ? DisplayText(environment.words(.untitled)) : title
    }
}
