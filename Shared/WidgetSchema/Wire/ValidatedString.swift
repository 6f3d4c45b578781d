// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A type for strings of a certain form, such as widget ids; values can be created only from valid strings.
///
/// A value is encoded as a JSON string, and can also be a key of a JSON object.
public protocol ValidatedString: RawRepresentable, Hashable, Comparable, CodableAsText, CodingKeyRepresentable, Sendable
where RawValue == String {
    /// A description of the valid strings, which is used in error messages.
    static var rule: String { get }

    init?(rawValue: String)
}

extension ValidatedString {
    public static var refusal: String { "is not valid: \(rule)" }

    public init?(_ text: String) { self.init(rawValue: text) }

    // Without these two, the compiler would synthesise them, because `RawRepresentable` has such functions as well.
    public init(from decoder: any Decoder) throws { try self.init(textFrom: decoder) }

    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }

    public init?<Key: CodingKey>(codingKey: Key) {
        self.init(rawValue: codingKey.stringValue)
    }

    public var codingKey: any CodingKey { StringCodingKey(stringValue: rawValue) }

    public var description: String { rawValue }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// A coding key for JSON objects whose keys are values, such as widget ids, and not names of properties.
struct StringCodingKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Returns whether a string matches `[a-z0-9][a-z0-9-]{0,62}`.
func isPlainIdentifier(_ string: String) -> Bool {
    let bytes = string.utf8
    guard let first = bytes.first, bytes.count <= 63, first != UInt8(ascii: "-") else { return false }
    return bytes.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
}
