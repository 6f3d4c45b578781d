// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The normalised value of a parsing; its JSON is one frame of a message.
public enum Content: Hashable, Sendable {
    case feed(FeedContent)

    public var kind: WidgetKind {
        switch self {
        case .feed: .feed
        }
    }

    /// Whether there is nothing in it that a widget could show.
    public var isEmpty: Bool {
        switch self {
        case .feed(let feed): feed.items.isEmpty
        }
    }
}

extension Content: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind
        case feed
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(WidgetKind.self, forKey: .kind) {
        case .feed: self = .feed(try container.decode(FeedContent.self, forKey: .feed))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .kind)
        switch self {
        case .feed(let feed): try container.encode(feed, forKey: .feed)
        }
    }
}
