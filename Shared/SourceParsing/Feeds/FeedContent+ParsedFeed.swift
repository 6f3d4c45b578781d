// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Digests
internal import WidgetSchema

extension FeedContent {
    /// A title or an author goes on the wire with at most so many characters.
    static let maximumTitleCharacters = 500
    /// The title of an item without one: so much of its text.
    static let borrowedTitleCharacters = 100
    /// A longer id goes on the wire as its digest.
    static let maximumIDBytes = 512

    /// What a widget can show of a feed.
    init(_ feed: ParsedFeed, documentURL: String) {
        var seen: Set<String> = []
        var items: [FeedItem] = []
        for parsed in feed.items where items.count < Self.maximumItems {
            guard var item = FeedItem(parsed, documentURL: documentURL) else { continue }
            // One id for two posts would make them one: the second gets its link's or its text's digest added, which
            // stays the same in every answer. What is alike in all of it is the same post twice.
            let variants = [item.id] + Self.variants(of: parsed).map { item.id + "#" + $0 }
            guard let id = variants.first(where: { !seen.contains($0) }) else { continue }
            seen.insert(id)
            item.id = id
            items.append(item)
        }
        self.init(
            title: feed.title?.plain().shortened(to: Self.maximumTitleCharacters),
            link: feed.link,
            items: items
        )
    }

    private static func variants(of item: ParsedItem) -> [String] {
        let ofText = FeedItem.digest(item)
        guard let link = item.link else { return [ofText] }
        return [String(SHA256.hexDigest(of: link).prefix(FeedItem.digestDigits)), ofText]
    }
}

extension FeedItem {
    /// Digits of a digest that stands for an id; 64 bits are plenty within one feed.
    static let digestDigits = 16

    /// `nil` where there is nothing to show.
    init?(_ item: ParsedItem, documentURL: String) {
        let text = item.summary ?? item.content
        let summary = text?.plain(limit: Self.maximumSummaryCharacters)
            .shortened(to: Self.maximumSummaryCharacters)
        let title = item.title?.plain(limit: FeedContent.maximumTitleCharacters)
            .shortened(to: FeedContent.maximumTitleCharacters)
        guard title != nil || summary != nil || item.link != nil else { return nil }
        self.init(
            id: Self.id(of: item),
            title: title ?? summary?.shortened(to: FeedContent.borrowedTitleCharacters) ?? item.link ?? documentURL,
            author: item.author?.shortened(to: FeedContent.maximumTitleCharacters),
            published: item.published,
            updated: item.updated,
            link: item.link,
            summary: summary
        )
    }

    /// The digest of what an item says, without its dates: they change where the post does not.
    static func digest(_ item: ParsedItem) -> String {
        var hash = SHA256()
        hash.update(item.title?.text ?? "")
        hash.update([0])
        hash.update(item.content?.text ?? item.summary?.text ?? "")
        return String(hash.hexDigest().prefix(digestDigits))
    }

    private static func id(of item: ParsedItem) -> String {
        guard let id = item.id ?? item.link else { return digest(item) }
        return id.utf8.count <= FeedContent.maximumIDBytes ? id : SHA256.hexDigest(of: id)
    }
}

extension String {
    /// At most so many characters, cut between words where one ends in the last third; `nil` where nothing is left.
    func shortened(to limit: Int) -> String? {
        guard !isEmpty else { return nil }
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
        var head = self[..<index(before: end)]
        let earliest = head.index(head.startIndex, offsetBy: head.count * 2 / 3)
        if let space = head[earliest...].lastIndex(of: " ") { head = head[..<space] }
        while head.last == " " { head.removeLast() }
        return head + "…"
    }
}
