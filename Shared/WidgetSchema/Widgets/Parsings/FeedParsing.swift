// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The options for parsing a feed.
public struct FeedParsing: Hashable, Sendable {
    /// A Boolean value that indicates whether a truncated document is accepted; its items before the truncation are
    /// used.
    public var allowsIncomplete: Bool
    public var order: Order

    /// The order of the items.
    public enum Order: String, CaseIterable, Sendable {
        /// The newest item comes first; see ``FeedContent/latestFirst(_:asOf:date:)``.
        case date
        /// The items keep the order of the document.
        case document
    }

    public init(allowsIncomplete: Bool = false, order: Order = .date) {
        self.allowsIncomplete = allowsIncomplete
        self.order = order
    }

    private static let allowed = "allowed"

    init(options: [String: String]) throws(ParsingOptionError) {
        let value = options["incomplete"]
        guard value == nil || value == Self.allowed else {
            throw ParsingOptionError(option: "incomplete", "'\(value ?? "")' is not '\(Self.allowed)'")
        }
        allowsIncomplete = value != nil
        let word = options["order"] ?? Order.date.rawValue
        guard let order = Order(rawValue: word) else {
            let words = Order.allCases.map(\.rawValue).joined(separator: " and ")
            throw ParsingOptionError(option: "order", "'\(word)' is not an order; there are \(words)")
        }
        self.order = order
    }

    /// The options without those that have their default value, because ``Parsing/key`` names stored contents.
    var options: [String: String] {
        var options: [String: String] = [:]
        if allowsIncomplete { options["incomplete"] = Self.allowed }
        if order != .date { options["order"] = order.rawValue }
        return options
    }
}
