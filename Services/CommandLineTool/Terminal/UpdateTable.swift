// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Updates as rows of a growing table: time, widget, result and headline, and more in wide terminals.
///
/// A row is as wide as the terminal, but at least `minimumColumns` wide.
struct UpdateTable: Sendable {
    /// A column with its heading and its width.
    private struct Column {
        var heading: String
        var width: Int
        var alignment = TextColumns.Alignment.left
        /// The minimum width of the terminal at which the column is shown.
        var minimumColumns = 0
        var cell: @Sendable (Event<Update>, TimeZone) -> TextColumns.Cell
    }

    static let minimumColumns = 40
    /// The minimum width of the terminal at which the column `REASON` is shown.
    static let reasonColumns = 70
    /// The minimum width of the terminal at which the column `SEQUENCE` is shown.
    static let sequenceColumns = 100
    /// The minimum width of the terminal at which the columns `CHANGED` and `LATENCY` are shown.
    static let wideColumns = 120
    private static let changedWidth = 20
    private static let maximumWidgetWidth = 32

    private static let fixedColumns = [
        Column(heading: "TIME", width: 8) { event, zone in
            TextColumns.Cell(event.data.times.decided.map { clock($0, zone) } ?? "", .faint)
        },
        Column(heading: "SEQUENCE", width: 13, minimumColumns: sequenceColumns) { event, _ in
            TextColumns.Cell(event.range.map { String($0.sequence.number) } ?? "")
        },
        Column(heading: "RESULT", width: 7) { event, _ in
            TextColumns.Cell(event.data.result.rawValue, event.data.result.emphasis)
        },
        Column(heading: "REASON", width: 13, minimumColumns: reasonColumns) { event, _ in
            TextColumns.Cell(event.data.reason.rawValue)
        },
        Column(heading: "CHANGED", width: changedWidth, minimumColumns: wideColumns) { event, _ in
            TextColumns.Cell(changed(event.data, width: changedWidth))
        },
        Column(heading: "LATENCY", width: 8, alignment: .right, minimumColumns: wideColumns) { event, _ in
            TextColumns.Cell(event.data.times.latencyText ?? "", .faint)
        },
    ]

    private let columns: TextColumns
    private let shown: [Column]
    private let timeZone: TimeZone

    init(_ terminal: Terminal, timeZone: TimeZone = .current) {
        self.timeZone = timeZone
        var shown = Self.fixedColumns.filter { $0.minimumColumns <= terminal.columns }
        let fixed = shown.reduce(0) { $0 + $1.width + TextColumns.gap } + TextColumns.gap
        let rest = max(terminal.columns, Self.minimumColumns) - fixed
        let widgetWidth = min(rest * 2 / 5, Self.maximumWidgetWidth)
        shown.insert(
            Column(heading: "WIDGET", width: widgetWidth) { event, _ in TextColumns.Cell(event.subject ?? "") },
            at: 1
        )
        shown.append(
            Column(heading: "HEADLINE", width: rest - widgetWidth) { event, _ in
                TextColumns.Cell(Self.headline(event.data))
            }
        )
        self.shown = shown
        columns = TextColumns(shown.map { ($0.width, $0.alignment) }, style: terminal.style)
    }

    var header: String { columns.line(shown.map { TextColumns.Cell($0.heading, .strong) }) }

    /// Returns the row of an update.
    ///
    /// The row contains the local time at which the result of the update was decided. The latency is the time from the
    /// origin's answer to this decision; it is empty if no fetch caused the update.
    func row(_ event: Event<Update>) -> String { columns.line(shown.map { $0.cell(event, timeZone) }) }

    /// Returns the cause of the update's failure, or the summary of the widget's contents if there is no failure.
    ///
    /// If the widget changed visibly while its source fails, for example after "Show more", its contents are meant.
    /// The cause is the failure's message without the address at its beginning, which would fill a narrow column:
    /// `answered 503`.
    static func headline(_ update: Update) -> String {
        guard let message = update.failure?.message, update.result != .newData else {
            return MessagePrinter.printable(update.summary)
        }
        let words = message.split(separator: " ", maxSplits: 1)
        guard let first = words.first, words.count == 2,
            first.contains("://") || first.hasPrefix(FileAddress.scheme)
        else {
            return MessagePrinter.printable(message)
        }
        return MessagePrinter.printable(String(words[1]))
    }

    /// Returns the names of the changed displays as one text.
    ///
    /// If the widget has several displays and all of them changed, returns only the number of displays. Otherwise, if
    /// the names are longer than `width` characters, returns the first name and the number of the other names.
    static func changed(_ update: Update, width: Int) -> String {
        // A widget without content shows a placeholder, which is a change, but not worth reporting.
        let names = update.reason == .missing ? [] : update.changed.map(\.rawValue)
        guard let first = names.first else { return "" }
        if names.count > 1, names.count == update.displays.count { return "all \(names.count) displays" }
        let all = names.joined(separator: " ")
        if all.count <= width || names.count == 1 { return all }
        let more = " +\(names.count - 1)"
        return CharacterWidth.shorten(first, to: width - more.count) + more
    }

    /// Returns a time such as `09:04:59`.
    static func clock(_ instant: Instant, _ timeZone: TimeZone) -> String {
        let seconds = instant.milliseconds.quotientRoundedDown(by: 1_000)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let local = seconds + Int64(timeZone.secondsFromGMT(for: date))
        let second = local - local.quotientRoundedDown(by: 86_400) * 86_400
        return [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
    }
}

extension Int64 {
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
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
    /// The time from the origin's answer to the decision on the update's result, in milliseconds.
    ///
    /// Nil if no fetch caused the update, or if its result is not decided yet.
    var latency: Int64? {
        guard let answered, let decided else { return nil }
        return max(0, decided.milliseconds(since: answered))
    }

    /// The latency as text: `12 ms`, or in seconds or days if it is long; nil if `latency` is nil.
    var latencyText: String? {
        latency.map { $0 < 100_000 ? "\($0) ms" : $0 < 1_000_000_000 ? "\($0 / 1_000) s" : "\($0 / 86_400_000) d" }
    }
}
