// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options for parsing a feed.
public struct FeedParsing: Hashable, Sendable {
    /// A Boolean value that indicates whether a truncated document is accepted; its items before the truncation are
    /// used.
    public var allowsIncomplete: Bool

    public init(allowsIncomplete: Bool = false) { self.allowsIncomplete = allowsIncomplete }

    static let optionNames = ["incomplete"]
    private static let allowed = "allowed"

    public init(options: [String: String]) throws(ParsingOptionError) {
        let value = options["incomplete"]
        guard value == nil || value == Self.allowed else {
            throw ParsingOptionError(option: "incomplete", "'\(value ?? "")' is not '\(Self.allowed)'")
        }
        allowsIncomplete = value != nil
    }

    public var options: [String: String] { allowsIncomplete ? ["incomplete": Self.allowed] : [:] }
}
