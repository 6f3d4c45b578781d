// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of one lease, `NONCE-COUNTER`, which is never used again.
///
/// The cache chooses a random nonce when it starts, and counts its leases.
public struct LeaseID: ValidatedString {
    public static let rule = "a lease id is 1 to 63 of a-z, 0-9 and '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard isPlainIdentifier(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
