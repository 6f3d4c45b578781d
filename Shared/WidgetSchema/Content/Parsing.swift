// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// What a widget wants made of a source's bytes: a kind and its options.
///
/// Widgets of one source with equal parsings share one content.
public struct Parsing: Codable, Hashable, Sendable {
    public var kind: WidgetKind
    public var options: [String: String]

    public init(kind: WidgetKind, options: [String: String] = [:]) {
        self.kind = kind
        self.options = options
    }

    /// Names this parsing among those of its source: `feed`, or `json;list=/items;title=/name`.
    public var key: String {
        ([kind.rawValue] + options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: ";")
    }
}
