// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of a source: the first 16 hexadecimal digits of a SHA-256 of the source's URL and configured headers.
///
/// For a source whose content is pushed, the widget's id is hashed instead. The digits are stored as an integer to save
/// memory, because the id of each source is in memory several times.
public struct SourceID: ValidatedString {
    public static let rule = "a source id is 16 hex digits"

    private let number: UInt64

    public init?(rawValue: String) {
        guard rawValue.utf8.count == 16, let number = hexadecimalNumber(rawValue.utf8[...]) else { return nil }
        self.number = number
    }

    public var rawValue: String { hexadecimalText([number]) }

    public static func == (left: SourceID, right: SourceID) -> Bool { left.number == right.number }

    public func hash(into hasher: inout Hasher) { hasher.combine(number) }

    /// Compares two ids as numbers, which gives the same order as a comparison of their hexadecimal texts.
    public static func < (left: SourceID, right: SourceID) -> Bool { left.number < right.number }
}
