// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Cryptography

extension ParsedFeed {
    /// The maximum number of characters of an author's name.
    static let maximumNameCharacters = 500
    /// The maximum number of characters of a title that is taken from an item's text.
    static let borrowedTitleCharacters = 100

    /// Fills in missing parts of the feed and its items from other parts; dates are never filled in.
    ///
    /// The id of an item is the id in the feed, or else the item's link, or else a digest of its title and text. The id
    /// therefore stays the same when the feed is fetched again. `author` is the author of the feed; it becomes the
    /// author of each item that has none (RFC 4287, section 4.2.1). `documentURL` becomes the link of a feed that has
    /// none.
    mutating func complete(author: String?, documentURL: String) {
        if link == nil { link = WebLink.resolve(documentURL, base: documentURL) }
        if title?.isBlank ?? true { title = link.map { MarkedText($0, .plain) } }
        for index in items.indices { items[index].complete(author: author, site: link) }
    }
}

extension ParsedItem {
    /// The number of hexadecimal digits of a digest that replaces an id; 64 bits are enough within one feed.
    static let digestDigits = 16

    /// The digest of the item's title and text.
    ///
    /// Dates are not included, because they may change although the post does not.
    var textDigest: String {
        var hash = SHA256()
        hash.update(title?.text ?? "")
        hash.update([0])
        hash.update(content?.text ?? summary?.text ?? "")
        return String(hash.hexDigest().prefix(Self.digestDigits))
    }

    fileprivate mutating func complete(author: String?, site: String?) {
        if title?.isBlank ?? true { title = nil }
        isEmpty = isEmpty || title == nil && link == nil && (summary ?? content)?.isBlank ?? true
        self.author = self.author ?? author
        // The id must be set before the link, because the link of the site would give all items the same id.
        id = id ?? link ?? textDigest
        if title == nil { title = borrowedTitle }
        link = link ?? site
        if title == nil { title = link.map { MarkedText($0, .plain) } }
    }

    private var borrowedTitle: MarkedText? {
        for text in [summary, content] {
            let words = text?.plain(limit: ParsedFeed.borrowedTitleCharacters)
            if let title = words?.shortened(to: ParsedFeed.borrowedTitleCharacters) { return MarkedText(title, .plain) }
        }
        return link.map { MarkedText($0, .plain) }
    }
}
