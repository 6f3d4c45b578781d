// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// All values of one update, as lines of text.
struct UpdateReport: Sendable {
    let event: Event<Update>
    let style: TextStyle

    /// The report as lines of text, each with its newline.
    var text: String {
        let update = event.data
        var rows: [(name: String, value: String)] = [
            ("result", style.text(update.result.rawValue, update.result.emphasis) + " (\(update.reason.rawValue))"),
            ("cause", "\(update.cause.rawValue), outcome \(update.outcome.rawValue)"),
        ]
        if let range = event.range {
            let sequence = String(range.sequence.number)
            rows.append(("sequence", range.isSingle ? sequence : "\(sequence) (from \(range.first.number))"))
        }
        if let previous = update.previousNewData { rows.append(("newData before", String(previous.number))) }
        rows.append(("decided", event.time + (update.times.latencyText.map { ", \($0) after the origin" } ?? "")))
        let date = update.contentDate.map { "of \($0)" }
        if let content = update.hasContent ? date : "nothing worth showing; displays hide the widget" {
            rows.append(("content", content))
        }
        if !update.summary.isEmpty { rows.append(("summary", update.summary)) }
        if let failure = update.failure {
            let status = failure.status.map { " (status \($0))" } ?? ""
            rows.append(("failure", style.text(failure.class.rawValue, .bad) + "\(status): \(failure.message)"))
            if let next = failure.nextAttempt { rows.append(("next attempt", "\(next)")) }
        }
        for (name, state) in update.displays.sorted(by: { $0.key < $1.key }) {
            let isChanged = update.reason != .missing && update.changed.contains(name)
            let mark = isChanged ? ", changed" : ""
            rows.append(("display", "\(name), \(Self.points(state.height)) high\(mark)"))
        }
        return style.text(event.subject ?? "", .strong) + "\n" + style.rows(rows, indent: 2)
    }

    /// Returns a length in points as text, such as `177.5 pt`.
    static func points(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value)) pt" : "\(value) pt"
    }
}
