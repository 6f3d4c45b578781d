// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Widgets as rows: id, age of the last update, its result and reason, and a one-line summary of the widget's contents.
///
/// The reason is shown in terminals that are at least `UpdateTable.reasonColumns` wide.
struct WidgetTable: Sendable {
    private static let ageWidth = 4
    private static let resultWidth = 7
    private static let reasonWidth = 13
    private static let minimumWidgetWidth = 6
    private static let maximumWidgetWidth = 32

    private let columns: TextColumns
    private let showsReason: Bool

    init(_ terminal: Terminal, widgets: [String]) {
        let total = max(terminal.columns, UpdateTable.minimumColumns)
        let longest = widgets.map(CharacterWidth.columns).max() ?? 0
        let widgetWidth = min(max(longest, Self.minimumWidgetWidth), Self.maximumWidgetWidth, total / 3)
        showsReason = terminal.columns >= UpdateTable.reasonColumns
        var widths: [(Int, TextColumns.Alignment)] = [
            (widgetWidth, .left), (Self.ageWidth, .right), (Self.resultWidth, .left),
        ]
        if showsReason { widths.append((Self.reasonWidth, .left)) }
        let used = widths.reduce(0) { $0 + $1.0 + TextColumns.gap }
        columns = TextColumns(widths + [(total - used, .left)], style: terminal.style)
    }

    var header: String {
        columns.line(
            (["WIDGET", "AGE", "RESULT"] + (showsReason ? ["REASON"] : []) + ["HEADLINE"]).map {
                TextColumns.Cell($0, .strong)
            }
        )
    }

    func row(_ event: Event<Update>, at now: Instant) -> String {
        let update = event.data
        var cells = [
            TextColumns.Cell(event.subject ?? ""),
            TextColumns.Cell(update.times.decided.map { HealthTable.age(now.milliseconds(since: $0)) } ?? "", .faint),
            TextColumns.Cell(update.result.rawValue, update.result.emphasis),
        ]
        if showsReason { cells.append(TextColumns.Cell(update.reason.rawValue)) }
        return columns.line(cells + [TextColumns.Cell(UpdateTable.headline(update))])
    }
}
