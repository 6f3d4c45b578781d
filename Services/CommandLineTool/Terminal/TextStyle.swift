// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Emphasis by ANSI escape sequences, or no emphasis.
enum TextStyle: Sendable {
    case plain
    case colored

    enum Emphasis: String, Sendable {
        case strong = "1"
        case faint = "2"
        case good = "32"
        case warning = "33"
        case bad = "31"
    }

    func text(_ text: String, _ emphasis: Emphasis?) -> String {
        guard self == .colored, let emphasis, !text.isEmpty else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }

    /// Returns a line for each name with its value; all values begin in the same column.
    func rows(_ rows: [(name: String, value: String)], indent: Int = 0) -> String {
        let width = (rows.map(\.name.count).max() ?? 0) + TextColumns.gap
        return rows.map { name, value in
            String(repeating: " ", count: indent) + text(name, .faint)
                + String(repeating: " ", count: width - name.count) + value + "\n"
        }.joined()
    }
}
