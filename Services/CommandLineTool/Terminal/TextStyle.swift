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
}
