// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The entities of a document type that are safe to expand: short texts without references.
///
/// Other entities are never expanded, so a document cannot refer to a file, a URL or another entity.
struct DocumentType {
    /// The maximum size of an entity's text, in bytes.
    static let maximumValueBytes = 256
    /// The maximum number of entities that are stored; further entities are ignored.
    static let maximumEntities = 256
    /// The maximum total size of the texts that replace entity references in a document, in bytes.
    ///
    /// A reference whose text would exceed the limit is not expanded.
    static let maximumExpandedBytes = 64 * 1024

    private var entities: [String: [UInt8]] = [:]
    private var expandedBytes = 0

    /// Stores the entity that a declaration defines, if it is safe to expand.
    ///
    /// `declaration` is the text between `<!` and `>`.
    mutating func take(_ declaration: Slice<UnsafeBufferPointer<UInt8>>) {
        guard declaration.starts(with: "ENTITY".utf8), entities.count < Self.maximumEntities else { return }
        var rest = declaration.dropFirst(6).drop(while: PlainText.isSpace)
        let name = rest.prefix { !PlainText.isSpace($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        rest = rest[name.endIndex...].drop(while: PlainText.isSpace)
        // Parameter entities have a percent sign as their name, and external entities have a keyword before the
        // quotation mark. Both are ignored.
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"), !name.isEmpty,
            name.first != UInt8(ascii: "%")
        else { return }
        let value = rest.dropFirst().prefix { $0 != quote }
        let isSafe = !value.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "<") }
        guard isSafe, value.count <= Self.maximumValueBytes else { return }
        let key = String(decoding: name, as: UTF8.self)
        // The first declaration counts (XML 1.0, section 4.2).
        if entities[key] == nil { entities[key] = Array(value) }
    }

    /// Returns the text of an entity; nil if it is unknown, or if `maximumExpandedBytes` would be exceeded.
    mutating func text(of name: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !entities.isEmpty, let text = entities[String(decoding: name, as: UTF8.self)],
            expandedBytes + text.count <= Self.maximumExpandedBytes
        else { return nil }
        expandedBytes += text.count
        return text
    }
}
