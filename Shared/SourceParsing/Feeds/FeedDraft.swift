// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// A feed as it is being read: its items in order, and the one that is open.
struct FeedDraft {
    /// What the feed says about itself; its summary is its subtitle.
    var head = ItemDraft()
    private(set) var items: [ItemDraft] = []
    private var hints = FeedHints.Draft()
    private var openItem: ItemDraft?
    /// A Boolean value that indicates whether hosts should show the widget; nil if the feed says nothing about it.
    var hasContent: Bool?
    /// Whether there were more items than were wanted.
    var isLimited = false
    /// Whether the document went on to the end of its root element.
    var isComplete = false
    /// Whether there was anything but the root that only a feed of this format has.
    var isRecognized = false

    var isInItem: Bool { openItem != nil }

    /// Begins an item; the one before has ended.
    mutating func beginItem() {
        openItem = ItemDraft()
    }

    /// Ends the item that was begun.
    mutating func endItem() {
        if let openItem {
            items.append(openItem)
            isRecognized = true
        }
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
        if openItem != nil { openItem?.take(link) } else { head.take(link) }
    }

    /// Takes an id that is relative, where ids have to be absolute.
    mutating func take(relativeID reference: String, base: String?) {
        openItem?.relativeID = LinkCandidate(rank: .permanent, reference: reference, base: base)
    }

    /// The feed with every link resolved, and with what follows from the rest where something is missing.
    consuming func finished(documentURL: String, work: ParsingWork) throws(ParsingError) -> ParsedFeed {
        if head.isLimited { work.reach(.parts) }
        let head = head.finished(base: documentURL, documentURL: documentURL)
        var feed = ParsedFeed()
        feed.title = head.title
        feed.subtitle = head.summary
        feed.link = head.link
        feed.hints = hints.finished()
        feed.hasContent = hasContent
        feed.isLimited = isLimited
        feed.isComplete = isComplete
        feed.isRecognized = isRecognized
        feed.items.reserveCapacity(items.count)
        for item in items {
            feed.items.append(item.finished(base: head.link ?? documentURL, documentURL: documentURL))
            work.add(item.partCount)
            if item.isLimited { work.reach(.parts) }
            if work.isExhausted { break }
        }
        feed.complete(author: head.author, documentURL: documentURL)
        try work.check(documentURL: documentURL)
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
    /// A file that belongs to it: the recording, not the picture on its cover.
    case enclosure
    /// A picture that belongs to it.
    case picture

    /// The rank of a file with this media type, if there is one.
    static func enclosure(type: String?) -> LinkRank {
        type?.lowercased().hasPrefix("image/") == true ? .picture : .enclosure
    }

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
    /// The maximum number of parts of one kind that an item keeps: authors, links of one rank, or dates.
    ///
    /// No reader shows more, and work that grows with their number stays in proportion to the document.
    static let maximumParts = 32
    /// A date is written in fewer bytes.
    static let maximumDateBytes = 256

    private(set) var links: [LinkCandidate] = []
    var relativeID: LinkCandidate?
    private var item = ParsedItem()
    private var otherTitle: MarkedText?
    private var otherID: String?
    private var otherSummary: MarkedText?
    private var secondSummary: MarkedText?
    private var date: String?
    private var authors: [String] = []
    private var otherAuthors: [String] = []
    private var partCounts = SIMD32<UInt8>(repeating: 0)
    private var linkCounts = SIMD8<UInt8>(repeating: 0)

    /// A Boolean value that indicates whether parts were left out.
    private(set) var isLimited = false

    /// The number of parts that were kept.
    var partCount: Int { links.count + authors.count + otherAuthors.count + 1 }

    mutating func take(_ link: LinkCandidate) {
        guard linkCounts[link.rank.rawValue] < Self.maximumParts else {
            isLimited = true
            return
        }
        linkCounts[link.rank.rawValue] += 1
        links.append(link)
    }

    /// Takes a part of the item: of texts the first of each kind counts, of dates the last, and what is blank never.
    mutating func take(_ field: FeedField, _ text: MarkedText, base: String?) {
        guard !PlainText.isBlank(text.text) else { return }
        guard partCounts[field.rawValue] < Self.maximumParts else {
            isLimited = true
            return
        }
        partCounts[field.rawValue] += 1
        switch field {
        case .title: if item.title == nil { item.title = text }
        case .otherTitle: if otherTitle == nil { otherTitle = text }
        case .link: take(LinkCandidate(rank: .own, reference: text.text, base: base))
        case .originalLink: take(LinkCandidate(rank: .original, reference: text.text, base: base))
        case .id: if item.id == nil { item.id = PlainText.trimmed(text.text) }
        case .otherID: if otherID == nil { otherID = PlainText.trimmed(text.text) }
        case .author: Self.add(text, to: &authors)
        case .otherAuthor: Self.add(text, to: &otherAuthors)
        case .published: item.published = Self.date(text.text) ?? item.published
        case .updated: item.updated = Self.date(text.text) ?? item.updated
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
        if let date = date.flatMap(Self.date) {
            item.published = item.published ?? date
            item.updated = item.updated ?? date
        }
        let authors = authors.isEmpty ? otherAuthors : authors
        item.author = authors.joined(separator: ", ").shortened(to: ParsedFeed.maximumNameCharacters)
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

    private static func date(_ text: String) -> Instant? {
        text.utf8.count <= maximumDateBytes ? FeedDate.parse(text) ?? FeedDate.parseDrupal(text) : nil
    }

    private static func add(_ text: MarkedText, to authors: inout [String]) {
        let name = AuthorName.parse(text.plain(limit: ParsedFeed.maximumNameCharacters))
        if !name.isEmpty, !authors.contains(name) { authors.append(name) }
    }
}
