// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The entities that a document type declares and that are safe to put in place: short texts without any reference.
///
/// Everything else is left as it stands: nothing refers to a file, to an address, or to another entity.
struct DocumentType {
    /// A longer text is no abbreviation.
    static let maximumValueBytes = 256
    /// More entities than these are not kept.
    static let maximumEntities = 256
    /// All that is put in place in a document may have so many bytes.
    static let maximumExpandedBytes = 64 * 1024

    private var entities: [String: [UInt8]] = [:]
    private var expandedBytes = 0

    /// Takes a declaration: what stands between `<!` and `>`.
    mutating func take(_ declaration: Slice<UnsafeBufferPointer<UInt8>>) {
        guard declaration.starts(with: "ENTITY".utf8), entities.count < Self.maximumEntities else { return }
        var rest = declaration.dropFirst(6).drop(while: Self.isSpace)
        let name = rest.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
        rest = rest[name.endIndex...].drop(while: Self.isSpace)
        // A parameter entity has a percent sign for a name, an external one a word before its address.
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

    /// The text of an entity, while the document has not had too much of that.
    mutating func text(of name: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard !entities.isEmpty, let text = entities[String(decoding: name, as: UTF8.self)],
            expandedBytes + text.count <= Self.maximumExpandedBytes
        else { return nil }
        expandedBytes += text.count
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 32 || (9...13).contains(byte)
    }
}
