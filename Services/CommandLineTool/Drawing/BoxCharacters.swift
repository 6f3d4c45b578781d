// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The characters with which boxes are drawn in a terminal.
enum BoxCharacters: Sendable {
    case unicode
    case ascii

    /// Creates box-drawing characters if the locale uses UTF-8, or else `+`, `-` and `|`.
    ///
    /// The locale is the first variable of `LC_ALL`, `LC_CTYPE` and `LANG` that is not empty (POSIX).
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
