// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A feed as it is being read: its items in order, and the one that is open.
struct FeedDraft {
    /// What the feed says about itself; its summary is its subtitle.
    var head = ItemDraft()
    private(set) var items: [ItemDraft] = []
    private var hints = FeedHints.Draft()
    private var openItem: ItemDraft?
    /// Whether there were more items than were wanted.
    var isLimited = false

    var isInItem: Bool { openItem != nil }

    /// Begins an item; the one before has ended.
    mutating func beginItem() {
        openItem = ItemDraft()
    }

    /// Ends the item that was begun.
    mutating func endItem() {
        if let openItem { items.append(openItem) }
        openItem = nil
    }

    /// Gives up the item that was begun and not ended.
    mutating func dropItem() {
        openItem = nil
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, base: String?) {
        switch field {
        case .timeToLive, .updatePeriod, .updateFrequency, .skippedHour, .skippedDay:
            // They are about the feed alone.
            if openItem == nil { hints.take(field, text.text) }
        default:
            if openItem != nil { openItem?.take(field, text, base: base) } else { head.take(field, text, base: base) }
        }
    }

    mutating func take(authors: [String]) {
        for name in authors { take(.author, MarkedText(name, .plain), base: nil) }
    }

    mutating func take(link reference: String, _ rank: LinkRank, base: String?) {
        // An empty reference is the document itself, which nobody means.
        guard !PlainText.isBlank(reference) else { return }
        let link = LinkCandidate(rank: rank, reference: reference, base: base)
        if openItem != nil { openItem?.links.append(link) } else { head.links.append(link) }
    }

    /// Takes an id that is relative, where ids have to be absolute.
    mutating func take(relativeID reference: String, base: String?) {
        openItem?.relativeID = LinkCandidate(rank: .permanent, reference: reference, base: base)
    }

    /// The feed with every link resolved, and with what follows from the rest where something is missing.
    consuming func finished(documentURL: String) -> ParsedFeed {
        let head = head.finished(base: documentURL, documentURL: documentURL)
        var feed = ParsedFeed()
        feed.title = head.title
        feed.subtitle = head.summary
        feed.link = head.link
        feed.hints = hints.finished()
        feed.isLimited = isLimited
        feed.items = items.map { $0.finished(base: head.link ?? documentURL, documentURL: documentURL) }
        feed.complete(author: head.author, documentURL: documentURL)
        return feed
    }
}

/// How well a link serves as an item's own, best first.
enum LinkRank: Int, Comparable {
    /// Where a service that counts readers leads in the end.
    case original
    /// The page that the item says it is.
    case own
    /// Another form of it.
    case alternate
    /// An id that is a link.
    case permanent
    /// A file that belongs to it.
    case enclosure

    static func < (left: LinkRank, right: LinkRank) -> Bool { left.rawValue < right.rawValue }
}

/// A link that may be an item's, with the base that was in force where it stood.
struct LinkCandidate {
    var rank: LinkRank
    var reference: String
    var base: String?

    /// The link against its base, and that against another, where that can be opened.
    func resolved(base outer: String) -> String? {
        WebLink.isPlainAbsolute(reference) ? reference : WebLink.resolve(joined(base: outer), base: "")
    }

    /// The link against its base, and that against another.
    func joined(base outer: String) -> String {
        WebLink.join(reference, base: base.map { WebLink.join($0, base: outer) } ?? outer)
    }
}

/// An item as it is being read: its links wait for the feed's own.
struct ItemDraft {
    var links: [LinkCandidate] = []
    var relativeID: LinkCandidate?
    private var item = ParsedItem()
    private var otherTitle: MarkedText?
    private var otherID: String?
    private var otherSummary: MarkedText?
    private var secondSummary: MarkedText?
    private var date: String?
    private var authors: [String] = []
    private var otherAuthors: [String] = []

    /// Takes a part of the item: of texts the first of each kind counts, of dates the last, and what is blank never.
    mutating func take(_ field: FeedField, _ text: MarkedText, base: String?) {
        guard !PlainText.isBlank(text.text) else { return }
        switch field {
        case .title: if item.title == nil { item.title = text }
        case .otherTitle: if otherTitle == nil { otherTitle = text }
        case .link: links.append(LinkCandidate(rank: .own, reference: text.text, base: base))
        case .originalLink: links.append(LinkCandidate(rank: .original, reference: text.text, base: base))
        case .id: if item.id == nil { item.id = PlainText.trimmed(text.text) }
        case .otherID: if otherID == nil { otherID = PlainText.trimmed(text.text) }
        case .author: Self.add(text, to: &authors)
        case .otherAuthor: Self.add(text, to: &otherAuthors)
        case .published: item.published = FeedDate.parse(text.text) ?? item.published
        case .updated: item.updated = FeedDate.parse(text.text) ?? item.updated
        case .date: date = text.text
        case .summary:
            if item.summary == nil { item.summary = text } else { secondSummary = secondSummary ?? text }
        case .otherSummary: if otherSummary == nil { otherSummary = text }
        case .content: if item.content == nil { item.content = text }
        case .timeToLive, .updatePeriod, .updateFrequency, .skippedHour, .skippedDay: break
        }
    }

    /// The item, with the best link that can be opened.
    ///
    /// Links are resolved against `base`, which is the site's address where the feed has one.
    func finished(base: String, documentURL: String) -> ParsedItem {
        var item = item
        item.title = item.title ?? otherTitle
        item.id = item.id ?? relativeID?.joined(base: documentURL) ?? otherID
        item.summary = item.summary ?? otherSummary
        // Some write a short and a long text as `summary` and `description`, in this order or in the other.
        item.content = item.content ?? secondSummary
        if let date = date.flatMap(FeedDate.parse) {
            item.published = item.published ?? date
            item.updated = item.updated ?? date
        }
        let authors = authors.isEmpty ? otherAuthors : authors
        item.author = authors.isEmpty ? nil : authors.joined(separator: ", ")
        item.link = link(base: base)
        return item
    }

    private func link(base: String) -> String? {
        var best: (rank: LinkRank, link: String)?
        for candidate in links where best.map({ candidate.rank < $0.rank }) ?? true {
            guard let link = candidate.resolved(base: base) else { continue }
            best = (candidate.rank, link)
        }
        return best?.link
    }

    private static func add(_ text: MarkedText, to authors: inout [String]) {
        let name = AuthorName.parse(text.plain(limit: ParsedFeed.maximumNameCharacters))
        if !name.isEmpty, !authors.contains(name) { authors.append(name) }
    }
}
