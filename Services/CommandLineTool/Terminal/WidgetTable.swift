// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Widgets as rows: id, age of the last update, its result and reason, and a one-line summary of the widget's contents.
struct WidgetTable: Sendable {
    private static let ageWidth = 4
    private static let resultWidth = 7
    private static let reasonWidth = 13
    private static let minimumColumns = 80
    private static let minimumWidgetWidth = 6
    private static let maximumWidgetWidth = 32

    private let columns: TextColumns

    init(_ terminal: Terminal, widgets: [String]) {
        let longest = widgets.map(\.count).max() ?? 0
        let widgetWidth = min(max(longest, Self.minimumWidgetWidth), Self.maximumWidgetWidth)
        let used = widgetWidth + Self.ageWidth + Self.resultWidth + Self.reasonWidth + 4 * TextColumns.gap
        columns = TextColumns(
            [
                (widgetWidth, .left), (Self.ageWidth, .right), (Self.resultWidth, .left), (Self.reasonWidth, .left),
                (max(terminal.columns, Self.minimumColumns) - used, .left),
            ],
            style: terminal.style
        )
    }

    var header: String {
        columns.line(["WIDGET", "AGE", "RESULT", "REASON", "HEADLINE"].map { TextColumns.Cell($0, .strong) })
    }

    func row(_ event: Event<Update>, at now: Instant) -> String {
        let update = event.data
        return columns.line([
            TextColumns.Cell(event.subject ?? ""),
            TextColumns.Cell(update.times.decided.map { HealthTable.age(now.milliseconds(since: $0)) } ?? "", .faint),
            TextColumns.Cell(update.result.rawValue, update.result.emphasis),
            TextColumns.Cell(update.reason.rawValue),
            TextColumns.Cell(UpdateTable.headline(update)),
        ])
    }
}
