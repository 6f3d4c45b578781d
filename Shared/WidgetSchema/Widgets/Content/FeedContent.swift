// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The posts of a feed, the newest first unless the configuration keeps the order of the document.
public struct FeedContent: Codable, Hashable, Sendable {
    public static let maximumItems = 50

    public var title: String?
    /// The link to the web site that the feed belongs to.
    public var link: String?
    public var items: [FeedItem]

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(title: String? = nil, link: String? = nil, items: [FeedItem], hasContent: Bool? = nil) {
        self.title = title
        self.link = link
        self.items = items
        self.hasContent = hasContent
    }
}

extension FeedContent {
    /// The time by which a date may lie in the future; an item with a later date is treated as undated.
    public static let maximumLead: Duration = .seconds(24 * 3600)

    /// Returns items sorted by date, the newest first.
    ///
    /// Only dated items move, and only to places that dated items had; an undated item keeps its index. Items with equal
    /// dates keep their order. An item whose date is more than ``maximumLead`` after `now` counts as undated.
    public static func latestFirst<Item>(
        _ items: [Item],
        asOf now: Instant,
        date: (Item) -> Instant?
    ) -> [Item] {
        let latest = now.advanced(by: maximumLead)
        let dated = items.enumerated().compactMap { index, item in
            date(item).flatMap { $0 <= latest ? (index: index, date: $0) : nil }
        }
        let isSorted = zip(dated, dated.dropFirst()).allSatisfy { $0.date >= $1.date }
        guard !isSorted else { return items }
        var result = items
        for (place, source) in zip(dated, dated.sorted { ($1.date, $0.index) < ($0.date, $1.index) }) {
            result[place.index] = items[source.index]
        }
        return result
    }

    /// Returns the content with its items sorted by date, the newest first.
    public func latestFirst(asOf now: Instant) -> FeedContent {
        var content = self
        content.items = Self.latestFirst(items, asOf: now) { $0.shownDate }
        return content
    }
}

/// One post of a feed.
///
/// Texts contain no markup, and links are absolute.
public struct FeedItem: Codable, Hashable, Sendable {
    public static let maximumSummaryCharacters = 300

    /// The id, which is unique within the feed and stays the same in later answers of the origin.
    public var id: String
    public var title: String
    public var author: String?
    public var published: Instant?
    public var updated: Instant?
    public var link: String?
    public var summary: String?

    /// The date that widgets show: the time of publication or, if that is unknown, the time of the last update.
    public var shownDate: Instant? { published ?? updated }

    public init(
        id: String,
        title: String,
        author: String? = nil,
        published: Instant? = nil,
        updated: Instant? = nil,
        link: String? = nil,
        summary: String? = nil
    ) {
        self.id = id
        self.title = title
        self.author = author
        self.published = published
        self.updated = updated
        self.link = link
        self.summary = summary
    }
}
