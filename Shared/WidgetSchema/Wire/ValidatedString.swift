// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A type for strings of a certain form, such as widget ids; values can be created only from valid strings.
///
/// A value is encoded as a JSON string, and can also be a key of a JSON object.
public protocol ValidatedString: RawRepresentable, Hashable, Comparable, Codable, CodingKeyRepresentable, Sendable,
    CustomStringConvertible
where RawValue == String {
    /// A description of the valid strings, which is used in error messages.
    static var rule: String { get }

    init?(rawValue: String)
}

extension ValidatedString {
    public init(from decoder: any Decoder) throws {
        let string = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: string) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(string)' is not valid: \(Self.rule)")
            )
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

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
    return bytes.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "-")
    }
}
