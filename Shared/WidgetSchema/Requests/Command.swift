// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An action that a user requests for a widget.
///
/// A command that sets a state contains the new state ("expanded: true"); there is no command that toggles.
public enum Command: Hashable, Sendable {
    case setExpanded(Bool)
    /// Requests an update, for which the cache normally schedules a fetch of the source.
    ///
    /// In these cases, the cache does not fetch, but makes a cycle with the outcome `fresh` at once:
    /// - The last attempt to fetch the source was less than the widget's `minimumInterval` ago.
    /// - The source's server asks clients to wait (status 429 or `Retry-After`).
    /// - The content is pushed by clients.
    ///
    /// A widget of the kind `keyValue` then shows its next value on the display of the command. Without a display, all
    /// displays show their next value, but not within `minimumInterval`.
    case performUpdate
    /// Requests a fetch even if the content is fresh.
    ///
    /// In these cases, the cache does not fetch, but makes a cycle with the outcome `fresh` at once:
    /// - The last attempt to fetch the source was less than 15 s ago.
    /// - The source's server asks clients to wait (status 429 or `Retry-After`).
    /// - The content is pushed by clients.
    case refresh
    /// Shows the next value (kind `keyValue`), normally without a request to the origin.
    ///
    /// If the widget has no content yet, the cache schedules a fetch instead, unless one of the cases listed for
    /// ``refresh`` applies.
    case nextValue

    public enum Name: String, Codable, CaseIterable, Sendable {
        case setExpanded
        case performUpdate
        case refresh
        case nextValue
    }

    public var name: Name {
        switch self {
        case .setExpanded: .setExpanded
        case .performUpdate: .performUpdate
        case .refresh: .refresh
        case .nextValue: .nextValue
        }
    }
}

extension Command: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case expanded
    }

    /// The names of the members that this command has as JSON.
    package var memberNames: [String] {
        let names: [CodingKeys] = if case .setExpanded = self { [.name, .expanded] } else { [.name] }
        return names.map(\.stringValue)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Name.self, forKey: .name) {
        case .setExpanded: self = .setExpanded(try container.decode(Bool.self, forKey: .expanded))
        case .performUpdate: self = .performUpdate
        case .refresh: self = .refresh
        case .nextValue: self = .nextValue
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        if case .setExpanded(let expanded) = self { try container.encode(expanded, forKey: .expanded) }
    }
}
