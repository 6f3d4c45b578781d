// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Updates as rows of a table that grows: widget, sequence, result, reason, changed displays, latency.
///
/// A row fits the columns that there are, 80 at least.
struct UpdateTable: Sendable {
    private static let sequenceWidth = 13
    private static let resultWidth = 7
    private static let reasonWidth = 13
    private static let latencyWidth = 8
    private static let maximumWidgetWidth = 32
    private static let minimumColumns = 80

    private let columns: TextColumns
    private let changedWidth: Int

    init(_ terminal: Terminal) {
        let fixed = Self.sequenceWidth + Self.resultWidth + Self.reasonWidth + Self.latencyWidth + 5 * TextColumns.gap
        let rest = max(terminal.columns, Self.minimumColumns) - fixed
        let widgetWidth = min(rest * 2 / 5, Self.maximumWidgetWidth)
        changedWidth = rest - widgetWidth
        columns = TextColumns(
            [
                (widgetWidth, .left), (Self.sequenceWidth, .left), (Self.resultWidth, .left), (Self.reasonWidth, .left),
                (changedWidth, .left), (Self.latencyWidth, .right),
            ],
            style: terminal.style
        )
    }

    var header: String {
        columns.line(
            ["WIDGET", "SEQUENCE", "RESULT", "REASON", "CHANGED", "LATENCY"].map { TextColumns.Cell($0, .strong) }
        )
    }

    /// The latency is the time from the origin's answer to the verdict; empty where no origin was asked.
    func row(_ event: Event<Update>) -> String {
        let update = event.data
        return columns.line([
            TextColumns.Cell(event.subject ?? ""),
            TextColumns.Cell(event.range.map { String($0.sequence.number) } ?? ""),
            TextColumns.Cell(update.result.rawValue, update.result.emphasis),
            TextColumns.Cell(update.reason.rawValue),
            TextColumns.Cell(Self.changed(update, width: changedWidth)),
            TextColumns.Cell(update.times.latencyText ?? "", .faint),
        ])
    }

    /// The changed displays: all by their number, else by name, as many as there is room for.
    static func changed(_ update: Update, width: Int) -> String {
        let names = update.changed.map(\.rawValue)
        guard let first = names.first else { return "" }
        if names.count > 1, names.count == update.displays.count { return "all \(names.count) displays" }
        let all = names.joined(separator: " ")
        if all.count <= width || names.count == 1 { return all }
        let more = " +\(names.count - 1)"
        return TextColumns.shorten(first, to: width - more.count) + more
    }
}

extension UpdateResult {
    var emphasis: TextStyle.Emphasis {
        switch self {
        case .newData: .good
        case .noData: .faint
        case .failed: .bad
        }
    }
}

extension CycleTimes {
    /// From the origin's answer to the verdict, in milliseconds.
    var latency: Int64? {
        guard let answered, let decided else { return nil }
        return max(0, decided.milliseconds(since: answered))
    }

    /// `12 ms`, or seconds where there are many.
    var latencyText: String? {
        latency.map { $0 < 100_000 ? "\($0) ms" : $0 < 1_000_000_000 ? "\($0 / 1_000) s" : "\($0 / 86_400_000) d" }
    }
}
