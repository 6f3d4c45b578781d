// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of one numbering of the stream of updates.
///
/// It stays the same across restarts and takeovers of the notifier, and changes with a restore.
public struct StreamEpoch: ValidatedString {
    public static let rule = "an epoch is 16 hex digits"

    private let number: UInt64

    public init?(rawValue: String) {
        guard rawValue.utf8.count == 16, let number = hexadecimalNumber(rawValue.utf8[...]) else { return nil }
        self.number = number
    }

    private init(number: UInt64) { self.number = number }

    /// Returns an epoch that no store has had before.
    public static func random() -> StreamEpoch { StreamEpoch(number: .random(in: .min ... .max)) }

    public var rawValue: String { hexadecimalText([number]) }

    public static func < (left: StreamEpoch, right: StreamEpoch) -> Bool { left.number < right.number }
}
