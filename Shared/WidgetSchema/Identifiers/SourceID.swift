// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Names where content comes from: the first 16 hex digits of SHA-256 over method, URL and request headers.
public struct SourceID: ValidatedString {
    public static let rule = "a source id is 16 hex digits"

    public let rawValue: String

    public init?(rawValue: String) {
        guard rawValue.utf8.count == 16, isLowercaseHex(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

/// Whether a string holds nothing but `0-9` and `a-f`.
func isLowercaseHex(_ string: String) -> Bool {
    string.utf8.allSatisfy { byte in
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
