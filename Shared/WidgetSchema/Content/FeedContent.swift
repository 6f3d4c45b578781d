// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The posts of a feed, in the feed's order, which is usually newest first.
public struct FeedContent: Codable, Hashable, Sendable {
    public static let maximumItems = 50

    public var title: String?
    /// The link to the web site that the feed belongs to.
    public var link: String?
    public var items: [FeedItem]

    /// A Boolean value that indicates whether hosts should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(title: String? = nil, link: String? = nil, items: [FeedItem], hasContent: Bool? = nil) {
        self.title = title
        self.link = link
        self.items = items
        self.hasContent = hasContent
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
