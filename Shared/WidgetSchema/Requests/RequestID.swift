// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The id of one request and all its retries, `NONCE-COUNTER`: 1 to 128 characters from `A-Z a-z 0-9 . _ -`.
///
/// The requester chooses a random nonce at its start, so that no id is used twice.
public struct RequestID: ValidatedString {
    public static let rule = "a request id has 1 to 128 characters from A-Z, a-z, 0-9, '.', '_' and '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        // The alphabet is that of an instance name.
        guard InstanceName(rawValue: rawValue) != nil else { return nil }
        self.rawValue = rawValue
    }
}

/// The id under which a service's core knows a request, and its requester, until the request is answered.
///
/// The service assigns it; it is not part of any message.
public typealias RequesterID = UInt64
