// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name in what feeds say about an author.
enum AuthorName {
    /// `mail@example.org (Name)`, as RSS asks for, gives the name; anything else stays.
    static func parse(_ text: String) -> String {
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")"), text[..<open].contains("@") else { return text }
        let name = PlainText.trimmed(String(text[text.index(after: open)...].dropLast()))
        return name.isEmpty ? text : name
    }
}
