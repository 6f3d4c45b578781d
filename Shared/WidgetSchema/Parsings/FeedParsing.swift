// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options of a feed's parsing.
public struct FeedParsing: Hashable, Sendable {
    /// A Boolean value that indicates whether the items before the end of a document that is cut off are enough.
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
