// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Names one request over all its retries, `NONCE-COUNTER`: 1 to 128 of `A-Z a-z 0-9 . _ -`.
///
/// The nonce is the asker's, made at its start, so that no id is ever used twice.
public struct RequestID: ValidatedString {
    public static let rule = "a request id is 1 to 128 of A-Z, a-z, 0-9, '.', '_' and '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        // The same alphabet as an instance's name.
        guard InstanceName(rawValue: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }
}
