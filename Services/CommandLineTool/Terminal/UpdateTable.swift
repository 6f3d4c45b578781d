// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Updates as rows of a growing table: time, widget, sequence number, result, reason and headline.
///
/// A row is as wide as the terminal, but at least 80 characters. If the terminal is at least `wideColumns` characters
/// wide, a row also contains the changed displays and the latency.
struct UpdateTable: Sendable {
    private static let timeWidth = 8
    private static let sequenceWidth = 13
    private static let resultWidth = 7
    private static let reasonWidth = 13
    private static let changedWidth = 20
    private static let latencyWidth = 8
    private static let maximumWidgetWidth = 32
    private static let minimumColumns = 80
    /// The minimum width of the terminal, in characters, at which the columns `CHANGED` and `LATENCY` are shown.
    static let wideColumns = 120

    private let columns: TextColumns
    private let isWide: Bool
    private let timeZone: TimeZone

    init(_ terminal: Terminal, timeZone: TimeZone = .current) {
        self.timeZone = timeZone
        isWide = terminal.columns >= Self.wideColumns
        var fixed = Self.timeWidth + Self.sequenceWidth + Self.resultWidth + Self.reasonWidth + 5 * TextColumns.gap
        if isWide { fixed += Self.changedWidth + Self.latencyWidth + 2 * TextColumns.gap }
        let rest = max(terminal.columns, Self.minimumColumns) - fixed
        let widgetWidth = min(rest * 2 / 5, Self.maximumWidgetWidth)
        var widths: [(Int, TextColumns.Alignment)] = [
            (Self.timeWidth, .left), (widgetWidth, .left), (Self.sequenceWidth, .left), (Self.resultWidth, .left),
            (Self.reasonWidth, .left),
        ]
        if isWide { widths += [(Self.changedWidth, .left), (Self.latencyWidth, .right)] }
        columns = TextColumns(widths + [(rest - widgetWidth, .left)], style: terminal.style)
    }

    var header: String {
        let wide = isWide ? ["CHANGED", "LATENCY"] : []
        return columns.line(
            (["TIME", "WIDGET", "SEQUENCE", "RESULT", "REASON"] + wide + ["HEADLINE"]).map {
                TextColumns.Cell($0, .strong)
            }
        )
    }

    /// Returns the row of an update.
    ///
    /// The row contains the local time at which the result of the update was decided. The latency is the time from the
    /// origin's answer to this decision; it is empty if no fetch caused the update.
    func row(_ event: Event<Update>) -> String {
        let update = event.data
        var cells = [
            TextColumns.Cell(update.times.decided.map { Self.clock($0, timeZone) } ?? "", .faint),
            TextColumns.Cell(event.subject ?? ""),
            TextColumns.Cell(event.range.map { String($0.sequence.number) } ?? ""),
            TextColumns.Cell(update.result.rawValue, update.result.emphasis),
            TextColumns.Cell(update.reason.rawValue),
        ]
        if isWide {
            cells.append(TextColumns.Cell(Self.changed(update, width: Self.changedWidth)))
            cells.append(TextColumns.Cell(update.times.latencyText ?? "", .faint))
        }
        return columns.line(cells + [TextColumns.Cell(Self.headline(update))])
    }

    /// Returns the message of the update's failure, or the summary of the widget's contents if there is no failure.
    static func headline(_ update: Update) -> String {
        MessagePrinter.printable(update.failure?.message ?? update.summary)
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
        return TextColumns.shorten(first, to: width - more.count) + more
    }

    /// Returns a time such as `09:04:59`.
    static func clock(_ instant: Instant, _ timeZone: TimeZone) -> String {
        let seconds = instant.milliseconds.quotientRoundedDown(by: 1_000)
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let local = seconds + Int64(timeZone.secondsFromGMT(for: date))
        let second = local - local.quotientRoundedDown(by: 86_400) * 86_400
        return [second / 3_600, second / 60 % 60, second % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
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
