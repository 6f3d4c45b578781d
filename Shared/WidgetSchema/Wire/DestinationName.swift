// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The name of a destination of the service `delivery`, as the configuration gives it.
public struct DestinationName: ValidatedString {
    public static let rule =
        "a destination's name has 1 to 63 characters from a-z, 0-9 and '-', and does not start with '-'"

    public let rawValue: String

    public init?(rawValue: String) {
        guard isPlainIdentifier(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}
