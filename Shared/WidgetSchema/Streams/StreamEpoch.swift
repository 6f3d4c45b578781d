// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of an epoch: a period in which the notifier numbers the updates of all widgets without gaps, from 1 on.
///
/// Offsets of different epochs cannot be compared. Restarts and takeovers of the notifier keep the epoch. If the
/// notifier's store is restored or replaced, a new epoch begins.
public struct StreamEpoch: ValidatedString {
    public static let rule = "an epoch is 16 hex digits"

    private let number: UInt64

    public init?(rawValue: String) {
        guard rawValue.utf8.count == 16, let number = hexadecimalNumber(rawValue.utf8[...]) else { return nil }
        self.number = number
    }

    private init(number: UInt64) { self.number = number }

    /// Returns a random id; with 64 random bits, a repetition is practically impossible.
    public static func random() -> StreamEpoch { StreamEpoch(number: .random(in: .min ... .max)) }

    public var rawValue: String { hexadecimalText([number]) }

    public static func < (left: StreamEpoch, right: StreamEpoch) -> Bool { left.number < right.number }
}
