// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Digests
internal import WidgetSchema

extension ParsedFeed {
    /// The maximum number of characters of an author's name.
    static let maximumNameCharacters = 500
    /// The maximum number of characters of a title that is taken from an item's text.
    static let borrowedTitleCharacters = 100

    /// Derives missing parts, but never a date, from other parts.
    ///
    /// An item's id is the one in the feed, or else its link, or else a digest of its text, so that it does not change
    /// between answers. `author` applies to every item without one (RFC 4287, section 4.2.1).
    mutating func complete(author: String?, documentURL: String) {
        if link == nil { link = WebLink.resolve(documentURL, base: documentURL) }
        if title?.isBlank ?? true { title = link.map { MarkedText($0, .plain) } }
        for index in items.indices { items[index].complete(author: author, site: link) }
    }
}

extension ParsedItem {
    /// The number of digits of a digest that replaces an id; 64 bits are enough within one feed.
    static let digestDigits = 16

    /// The digest of the item's text without its dates, which may change although the post does not.
    var textDigest: String {
        var hash = SHA256()
        hash.update(title?.text ?? "")
        hash.update([0])
        hash.update(content?.text ?? summary?.text ?? "")
        return String(hash.hexDigest().prefix(Self.digestDigits))
    }

    fileprivate mutating func complete(author: String?, site: String?) {
        if title?.isBlank ?? true { title = title.flatMap(\.tagsAsText) }
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

extension MarkedText {
    /// The HTML as plain text, if it is short and its tags have no attributes, such as `<video>`; else nil.
    ///
    /// Used for a title with no text besides its tags: the author wrote about the tags, and did not escape them.
    fileprivate var tagsAsText: MarkedText? {
        guard markup == .html, text.utf8.count <= ParsedFeed.borrowedTitleCharacters,
            text.contains("<"), !text.contains("="), !text.contains("<!")
        else { return nil }
        let words = PlainText.collapse(text)
        // These tags are for layout: a title such as an empty paragraph is blank, and not about its tags.
        let isLayout = ["p", "br", "div", "span", "b", "i"].contains { tag in
            words.hasPrefix("<\(tag)>") || words.hasPrefix("<\(tag)/>") || words.hasPrefix("<\(tag) /")
        }
        return isLayout ? nil : MarkedText(words, .plain)
    }
}
