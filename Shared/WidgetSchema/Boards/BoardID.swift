// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of one board of the configuration: `[a-z0-9][a-z0-9-]{0,62}`.
public struct BoardID: ValidatedString {
    public static let rule = "a board's name has 1 to 63 characters from a-z, 0-9 and '-', and does not start with '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard isPlainIdentifier(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
