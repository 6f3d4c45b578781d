// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of one lease, in the form `NONCE-COUNTER`; no id is used twice.
///
/// The cache chooses a random nonce when it starts, and increases the counter with each lease.
public struct LeaseID: ValidatedString {
    public static let rule = "a lease id has 1 to 63 characters from a-z, 0-9 and '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard isPlainIdentifier(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
