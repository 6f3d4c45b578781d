// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Digests
internal import WidgetSchema

extension ParsedFeed {
    /// An author's name is read up to so many characters.
    static let maximumNameCharacters = 500
    /// The title of an item without one: so much of its text.
    static let borrowedTitleCharacters = 100

    /// Puts in place of what is missing what follows from the rest; never a date.
    ///
    /// An id is, in this order, the feed's own, the link and a digest of the text, so that it stays the same in every
    /// answer. `author` is that of every item without one (RFC 4287, section 4.2.1).
    mutating func complete(author: String?, documentURL: String) {
        if link == nil { link = WebLink.resolve(documentURL, base: documentURL) }
        if title?.isBlank ?? true { title = link.map { MarkedText($0, .plain) } }
        for index in items.indices { items[index].complete(author: author, site: link) }
    }
}

extension ParsedItem {
    /// Digits of a digest that stands for an id; 64 bits are plenty within one feed.
    static let digestDigits = 16

    /// The digest of what an item says, without its dates: they change where the post does not.
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
        // Before the site takes the link's place: all items would be one.
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
    /// The text of a piece of HTML that is nothing but tags without attributes, `<video>` for example: such a title speaks
    /// of them.
    fileprivate var tagsAsText: MarkedText? {
        guard markup == .html, text.utf8.count <= ParsedFeed.borrowedTitleCharacters,
            text.contains("<"), !text.contains("="), !text.contains("<!")
        else { return nil }
        let words = PlainText.collapse(text)
        // An empty paragraph or line says nothing.
        let isLayout = ["p", "br", "div", "span", "b", "i"].contains { tag in
            words.hasPrefix("<\(tag)>") || words.hasPrefix("<\(tag)/>") || words.hasPrefix("<\(tag) /")
        }
        return isLayout ? nil : MarkedText(words, .plain)
    }
}
