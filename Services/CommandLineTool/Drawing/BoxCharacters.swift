// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a box in a terminal is drawn with.
enum BoxCharacters: Sendable {
    case unicode
    case ascii

    /// Lines where the locale is one of UTF-8, `+`, `-` and `|` elsewhere (POSIX: `LC_ALL`, `LC_CTYPE`, `LANG`).
    init(environment: [String: String]) {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = (locale ?? "").uppercased()
        self = name.contains("UTF-8") || name.contains("UTF8") ? .unicode : .ascii
    }

    var vertical: String { self == .unicode ? "│" : "|" }
    var ellipsis: String { self == .unicode ? "…" : "..." }
    var separator: String { self == .unicode ? "·" : "-" }
    var times: String { self == .unicode ? "×" : "x" }

    func top(_ width: Int) -> String { line("┌", "┐", width) }
    func middle(_ width: Int) -> String { line("├", "┤", width) }
    func bottom(_ width: Int) -> String { line("└", "┘", width) }

    private func line(_ left: String, _ right: String, _ width: Int) -> String {
        self == .unicode
            ? left + String(repeating: "─", count: width) + right : "+" + String(repeating: "-", count: width) + "+"
    }
}
