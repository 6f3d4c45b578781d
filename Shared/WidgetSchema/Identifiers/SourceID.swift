// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Names a source: the first half of a SHA-256 over what is sent to its origin.
///
/// Kept as a number: there are as many of them in memory as there are sources, several times over.
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

    /// The order of numbers is that of their digits.
    public static func < (left: SourceID, right: SourceID) -> Bool { left.number < right.number }
}
