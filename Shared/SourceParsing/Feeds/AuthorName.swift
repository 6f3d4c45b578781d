// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A parser for the texts with which feeds name an author, such as `mail (Name)`.
enum AuthorName {
    /// Returns the name of an author, without the mail address that many feeds add.
    ///
    /// The form that RSS specifies is `mail (Name)`. Other forms are `Name (mail)`, `Name <mail>`, `"Name" <mail>`,
    /// `Name mail` and `mail, Name`. If there is only a mail address, it is returned without `mailto:`. A name followed
    /// by an address with `mailto:` is returned with the address, as in most readers.
    static func parse(_ text: String) -> String {
        let text = PlainText.trimmed(text)
        if text.utf8.last == UInt8(ascii: ")"), let open = text.lastIndex(of: "(") {
            return name(text[..<open], text[text.index(after: open)...].dropLast()) ?? text
        }
        if text.utf8.last == UInt8(ascii: ">"), let open = text.lastIndex(of: "<") {
            return name(text[..<open], text[text.index(after: open)...].dropLast()) ?? text
        }
        return isMail(text[...]) ? address(text[...]) : unquoted((besideMail(text) ?? text)[...])
    }

    /// Returns the text without the mail address at its beginning or end; nil if there is no such address, or no other
    /// text.
    private static func besideMail(_ text: String) -> String? {
        guard mayBeAddress(text) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let first = words.first, let last = words.last else { return nil }
        let name = isAddress(first) ? words.dropFirst() : isAddress(last) ? words.dropLast() : []
        var beside = name.joined(separator: " ").drop(while: isSeparator)
        while let last = beside.last, isSeparator(last) { beside.removeLast() }
        return beside.isEmpty || beside.contains("@") ? nil : String(beside)
    }

    private static func isSeparator(_ character: Character) -> Bool { " ,;:-–|".contains(character) }

    /// Returns whether a word is a mail address without `mailto:`; the word may end with a separator, such as a comma.
    static func isAddress(_ word: some StringProtocol) -> Bool {
        guard mayBeAddress(word), !word.contains(where: \.isWhitespace) else { return false }
        let parts = word.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !word.hasPrefix(scheme)
    }

    /// Returns the author's name in `outer (inner)` or `outer <inner>`.
    ///
    /// One of the two texts must be a mail address; the other text is the name. If the name is empty, the address is
    /// returned instead. Returns nil if neither text is an address, or if `outer` is a name and `inner` is an address
    /// with `mailto:`.
    private static func name(_ outer: Substring, _ inner: Substring) -> String? {
        let (outer, inner) = (PlainText.trimmed(String(outer)), PlainText.trimmed(String(inner)))
        if isMail(inner[...]), outer.isEmpty || !hasScheme(inner[...]) {
            return outer.isEmpty ? address(inner[...]) : unquoted(outer[...])
        }
        if isMail(outer[...]) { return inner.isEmpty ? address(outer[...]) : unquoted(inner[...]) }
        return nil
    }

    private static func isMail(_ text: Substring) -> Bool {
        mayBeAddress(text) && !text.contains(where: \.isWhitespace)
    }

    /// Returns whether a text contains an at sign, and therefore may contain a mail address.
    ///
    /// The complete checks for an address call this quick check first. It compares bytes, which is much faster than
    /// comparing characters.
    private static func mayBeAddress(_ text: some StringProtocol) -> Bool { text.utf8.contains(UInt8(ascii: "@")) }

    private static let scheme = "mailto:"

    private static func hasScheme(_ text: Substring) -> Bool { text.lowercased().hasPrefix(scheme) }

    private static func address(_ text: Substring) -> String {
        String(hasScheme(text) ? text.dropFirst(scheme.count) : text)
    }

    /// Returns the text without enclosing quotation marks.
    private static func unquoted(_ text: Substring) -> String {
        guard text.utf8.count > 2, let first = text.utf8.first, first == text.utf8.last,
            first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
        else { return String(text) }
        return PlainText.trimmed(String(text.dropFirst().dropLast()))
    }
}
