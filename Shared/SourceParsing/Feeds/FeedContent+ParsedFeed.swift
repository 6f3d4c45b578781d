// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Cryptography
internal import WidgetSchema

extension FeedContent {
    /// The maximum number of characters of a title or an author on the wire.
    static let maximumTitleCharacters = 500
    /// The maximum size of an id on the wire, in bytes; a longer id is replaced by its digest.
    static let maximumIDBytes = 512

    /// Creates the content of a feed, with the parts that a widget can show.
    init(_ feed: ParsedFeed) {
        var seen: Set<String> = []
        var items: [FeedItem] = []
        for parsed in feed.items where items.count < Self.maximumItems {
            guard var item = FeedItem(parsed) else { continue }
            // Widgets would treat two posts with the same id as one. So the id of the second post gets a suffix: the
            // digest of its link or of its text, both of which stay the same between answers. If another post already
            // has each of these ids, it is the same post.
            if !seen.insert(item.id).inserted {
                let variants = Self.variants(of: parsed).map { item.id + "#" + $0 }
                guard let id = variants.first(where: { seen.insert($0).inserted }) else { continue }
                item.id = id
            }
            items.append(item)
        }
        self.init(
            title: feed.title?.plain().shortened(to: Self.maximumTitleCharacters),
            link: feed.link,
            items: items,
            hasContent: feed.hasContent
        )
    }

    private static func variants(of item: ParsedItem) -> [String] {
        guard let link = item.link else { return [item.textDigest] }
        return [String(SHA256.hexDigest(of: link).prefix(ParsedItem.digestDigits)), item.textDigest]
    }
}

extension FeedItem {
    /// Creates an item; nil if the parsed item contains nothing to show.
    init?(_ item: ParsedItem) {
        guard !item.isEmpty, let id = item.id,
            let title = item.title?.plain(limit: FeedContent.maximumTitleCharacters)
                .shortened(to: FeedContent.maximumTitleCharacters)
        else { return nil }
        self.init(
            id: id.utf8.count <= FeedContent.maximumIDBytes ? id : SHA256.hexDigest(of: id),
            title: title,
            author: item.author?.shortened(to: FeedContent.maximumTitleCharacters),
            published: item.published,
            updated: item.updated,
            link: item.link,
            summary: (item.summary ?? item.content)?.plain(limit: Self.maximumSummaryCharacters)
                .shortened(to: Self.maximumSummaryCharacters)
        )
    }
}
