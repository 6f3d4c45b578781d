// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of one board of the configuration: `[a-z0-9][a-z0-9-]{0,55}`.
public struct BoardID: ValidatedString {
    /// The maximum number of characters: the names of the cells' displays, such as `kitchen-c48r48`, are valid, too.
    private static let maximumLength = 56
    public static let rule =
        "a board's name has 1 to \(maximumLength) characters from a-z, 0-9 and '-', and does not start with '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard isPlainIdentifier(rawValue), rawValue.utf8.count <= Self.maximumLength else { return nil }
        self.rawValue = rawValue
    }
}
