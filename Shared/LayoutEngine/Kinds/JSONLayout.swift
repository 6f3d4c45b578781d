// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of rows from any JSON document; each row has a title, and may have a subtitle and a date.
struct JSONLayout: WidgetLayout {
    var empty: Placeholder { .empty(.noRows) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard case .json(let list) = content, !list.rows.isEmpty else { return nil }
        // All rows have the same height, without space for details that no row has.
        let details = [list.rows.contains { $0.subtitle != nil }, list.rows.contains { $0.date != nil }]
        let fonts = details.filter(\.self).map { _ in environment.font(.caption1) }
        return TitledRows(
            count: list.rows.count,
            details: fonts,
            detailCount: { Self.detailCount(of: list.rows[$0]) },
            title: { Self.title(of: list.rows[$0], environment) },
            detailLabels: { row in
                let instant = list.rows[row].date
                let subtitle = DisplayText(list.rows[row].subtitle.flatMap(environment.text) ?? "")
                let date = DisplayText(instant.flatMap(environment.date) ?? "")
                return [
                    Label(subtitle, .caption1, color: .secondaryLabel),
                    Label(date, .caption1, color: .secondaryLabel) {
                        $0.shorterDates(instant).map { DisplayText($0) }
                    },
                ]
            },
            target: { (list.rows[$0].id, list.rows[$0].link.flatMap(LayoutAction.opening(link:))) }
        ).table(in: environment)
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

    /// Returns the number of details of a row, from 0 to 2; the details are the subtitle and the date.
    private static func detailCount(of row: ContentRow) -> Int {
        (row.subtitle == nil ? 0 : 1) + (row.date == nil ? 0 : 1)
    }

    static func title(of row: ContentRow, _ environment: LayoutEnvironment) -> DisplayText {
        let title = DisplayText(environment.text(row.title) ?? "")
        return title.isEmpty ? DisplayText(environment.words(.untitled)) : title
    }
}
