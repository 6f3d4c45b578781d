// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// SHA-256 in 64 hex digits: of a content's JSON, of a body, or of everything visible in a layout.
public struct ContentDigest: ValidatedString {
    public static let rule = "a digest is 64 hex digits"

    public let rawValue: String

    public init?(rawValue: String) {
        guard rawValue.utf8.count == 64, isLowercaseHex(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The first digits, enough for a person to tell digests apart.
    public var short: String { String(rawValue.prefix(8)) }
}
