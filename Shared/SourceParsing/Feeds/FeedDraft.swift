// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// A feed while it is being read: its completed items in order, and the item that has not ended.
struct FeedDraft {
    /// The title, the link and the other fields of the feed itself; the subtitle is stored as `summary`.
    var feedFields = ItemDraft()
    var items: [ItemDraft] = []
    var limit = ItemLimit()
    /// The work to which the search for the oldest item adds its steps.
    var work: ParsingWork?
    /// The item with the oldest date and its index; nil before `replaceOldest` searches for it.
    var oldest: (index: Int, date: Instant)?
    /// A Boolean value that indicates whether `replaceOldest` replaced an item.
    var hasReplacedItems = false
    private var itemCount = 0
    private var hints = FeedHints.Draft()
    private var openItem: ItemDraft?
    /// A Boolean value that indicates whether displays should show the widget; nil if the feed says nothing about it.
    var hasContent: Bool?
    /// A Boolean value that indicates whether the document has more items than `limit` allows.
    var isLimited = false
    /// A Boolean value that indicates whether the document contains the end of its root element.
    var isComplete = false
    /// A Boolean value that indicates whether the document contains, besides its root, an element specific to this feed
    /// format.
    var isRecognized = false

    var isInItem: Bool { openItem != nil }

    /// Begins an item; the previous one must have ended.
    mutating func beginItem() {
        openItem = ItemDraft(ordinal: itemCount)
        itemCount += 1
    }

    /// Ends the item that `beginItem` began, and adds it to `items` if `limit` allows it.
    mutating func endItem() {
        if let openItem {
            isRecognized = true
            if items.count < limit.count {
                items.append(openItem)
            } else {
                isLimited = true
                replaceOldest(by: openItem)
            }
        }
        openItem = nil
    }

    /// Discards the item that `beginItem` began; it is not added to `items`.
    mutating func dropItem() {
        openItem = nil
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, base: String?) {
        switch field {
        case .timeToLive, .updatePeriod, .updateFrequency, .skippedHour, .skippedDay:
            // These fields apply only to the feed.
            if openItem == nil { hints.take(field, text.text) }
        default:
            if openItem != nil {
                openItem?.take(field, text, base: base)
            } else {
                feedFields.take(field, text, base: base)
            }
        }
    }

    mutating func take(authors: [String]) {
        for name in authors { take(.author, MarkedText(name, .plain), base: nil) }
    }

    mutating func take(link reference: String, _ rank: LinkRank, base: String?) {
        var link = LinkCandidate(rank: rank, reference: reference, base: base)
        if PlainText.isBlank(reference) {
            // An empty reference means its base (RFC 3986, section 4.4), but no file is meant in this way. Without a
            // base of its own, the base is the document, and any other link is better.
            guard rank == .own || rank == .alternate else { return }
            if base == nil { link.rank = .document }
        }
        if openItem != nil { openItem?.take(link) } else { feedFields.take(link) }
    }

    /// Stores a relative reference as the id of the item that `beginItem` began.
    ///
    /// Atom requires absolute ids, but some feeds contain relative ones. The reference is resolved when the item is
    /// finished; `base` is the base URL, or nil for the URL of the document.
    mutating func take(relativeID reference: String, base: String?) {
        openItem?.relativeID = LinkCandidate(rank: .permanent, reference: reference, base: base)
    }

    /// Returns the feed with absolute links; missing fields, such as titles, are derived from other fields.
    ///
    /// A relative link of an item is resolved against its base URL. Without a base URL, it is resolved against the link
    /// of the feed, or against `documentURL` if the feed has no link.
    ///
    /// The method adds its steps to `work`, and throws if the processor time of `work` is exhausted.
    consuming func finished(documentURL: String, work: ParsingWork) throws(ParsingError) -> ParsedFeed {
        let documentURL = WebLink.base(documentURL)
        if feedFields.isLimited { work.reach(.parts) }
        restoreOrder()
        let fields = feedFields.finished(base: documentURL, documentURL: documentURL)
        var feed = ParsedFeed()
        feed.title = fields.title
        feed.subtitle = fields.summary
        feed.link = fields.link
        feed.hints = hints.finished()
        feed.hasContent = hasContent
        feed.isLimited = isLimited
        feed.isComplete = isComplete
        feed.isRecognized = isRecognized
        feed.items.reserveCapacity(items.count)
        let base = fields.link ?? documentURL
        for item in items {
            feed.items.append(item.finished(base: base, documentURL: documentURL))
            work.add(item.stepCount(base: base))
            if item.isLimited { work.reach(.parts) }
            if work.isExhausted { break }
        }
        feed.complete(author: fields.author, documentURL: documentURL)
        try work.check()
        return feed
    }
}

/// The rank of a link that may become the link of an item; the smallest rank is the best.
enum LinkRank: Int, Comparable {
    /// The rank of an item's direct link; the ordinary link counts readers and redirects to the direct one.
    case original
    /// The rank of the link to the item's page.
    case own
    /// The rank of a link to an alternate form of the item's page.
    case alternate
    /// The rank of an item's id that is also a link.
    case permanent
    /// The rank of a link to a file of the item, such as a recording; the rank for pictures is ``picture``.
    case enclosure
    /// The rank of a link to a picture of the item.
    case picture
    /// The rank of an empty link, which means the document itself.
    case document

    /// The file name extensions that indicate a picture; used for files without a media type.
    private static let pictureExtensions = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif"]

    /// Returns `picture` if the link leads to a picture, and `enclosure` if it leads to any other file.
    ///
    /// `type` is the media type of the file. Without a media type, the extension in the link determines the rank.
    static func enclosure(type: String?, link: String) -> LinkRank {
        if let type, !PlainText.isBlank(type) {
            return type.lowercased().hasPrefix("image/") ? .picture : .enclosure
        }
        let path = link.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return pictureExtensions.contains { path.hasSuffix($0) } ? .picture : .enclosure
    }

    static func < (left: LinkRank, right: LinkRank) -> Bool { left.rawValue < right.rawValue }
}

/// A candidate for the link of an item, with the base URL against which it is resolved.
struct LinkCandidate {
    var rank: LinkRank
    var reference: String
    var base: String?

    /// Returns the link as an absolute URL; nil if widgets cannot open this URL.
    ///
    /// The property `reference` is resolved against the property `base`. If `base` is relative, it is first resolved
    /// against `outer`. If `base` is nil, `reference` is resolved against `outer`.
    func resolved(base outer: String) -> String? {
        if WebLink.isPlainAbsolute(reference) { return reference }
        var link = self
        link.reference = WebLink.unescaped(reference)
        return WebLink.resolve(link.joined(base: outer), base: "")
    }

    /// Returns the link as an absolute URL, even if widgets cannot open this URL.
    ///
    /// The property `reference` is resolved against the property `base`. If `base` is relative, it is first resolved
    /// against `outer`. If `base` is nil, `reference` is resolved against `outer`.
    func joined(base outer: String) -> String {
        WebLink.join(reference, base: base.map { WebLink.join($0, base: outer) } ?? outer)
    }
}

/// An item, or the feed itself, while it is being read.
///
/// The links are resolved later, when the link of the feed is known.
struct ItemDraft {
    /// The maximum number of parts of each kind that an item keeps, such as authors or links of one rank.
    ///
    /// Feed readers show no more parts. The limit also keeps the work proportional to the size of the document.
    static let maximumParts = 32
    /// The maximum size of a date in bytes.
    static let maximumDateBytes = 256

    /// The index of the item among all items of the document.
    let ordinal: Int
    private(set) var links: [LinkCandidate] = []
    var relativeID: LinkCandidate?
    private var item = ParsedItem()
    private var substituteTitle: MarkedText?
    private var substituteID: String?
    private var substituteSummary: MarkedText?
    private var secondSummary: MarkedText?
    private var date: Instant?
    private var authors: [String] = []
    private var substituteAuthors: [String] = []
    private var sourceAuthors: [String] = []
    private var partCounts = SIMD32<UInt8>(repeating: 0)
    private var linkCounts = SIMD8<UInt8>(repeating: 0)

    /// A Boolean value that indicates whether parts were dropped because of ``maximumParts``.
    private(set) var isLimited = false

    init(ordinal: Int = 0) { self.ordinal = ordinal }

    /// The date that widgets show; nil if the item has none.
    var shownDate: Instant? { item.published ?? date ?? item.updated }

    /// Returns the number of steps that the item adds to ``ParsingWork/steps``: one, and one more per link and author.
    ///
    /// A link also adds steps for its base, which is `base` if the link has none of its own.
    func stepCount(base: String) -> Int {
        let parts = links.count + authors.count + substituteAuthors.count + sourceAuthors.count + 1
        return links.reduce(parts) { $0 + ($1.base ?? base).utf8.count / WebLink.baseBytesPerStep }
    }

    mutating func take(_ link: LinkCandidate) {
        guard linkCounts[link.rank.rawValue] < Self.maximumParts else {
            isLimited = true
            return
        }
        linkCounts[link.rank.rawValue] += 1
        links.append(link)
    }

    /// Adds `text` to the item as a value of `field`; a blank text is ignored.
    ///
    /// If `text` is a link, `base` is its base URL. An item can have several links and authors. Of several dates for
    /// one field, the last one is used. Of several other texts for one field, the first one is used. If the item has
    /// two summaries but no content, the second summary becomes the content.
    mutating func take(_ field: FeedField, _ text: MarkedText, base: String?) {
        guard !PlainText.isBlank(text.text) else { return }
        guard partCounts[field.rawValue] < Self.maximumParts else {
            isLimited = true
            return
        }
        partCounts[field.rawValue] += 1
        switch field {
        case .title: if item.title == nil { item.title = text }
        case .substituteTitle: if substituteTitle == nil { substituteTitle = text }
        case .link: take(LinkCandidate(rank: .own, reference: text.text, base: base))
        case .originalLink: take(LinkCandidate(rank: .original, reference: text.text, base: base))
        case .id: if item.id == nil { item.id = PlainText.trimmed(text.text) }
        case .substituteID: if substituteID == nil { substituteID = PlainText.trimmed(text.text) }
        case .author: Self.add(text, to: &authors)
        case .substituteAuthor: Self.add(text, to: &substituteAuthors)
        case .sourceAuthor: Self.add(text, to: &sourceAuthors)
        case .published: item.published = Self.date(text.text) ?? item.published
        case .updated: item.updated = Self.date(text.text) ?? item.updated
        case .date: date = Self.date(text.text)
        case .summary:
            if item.summary == nil { item.summary = text } else { secondSummary = secondSummary ?? text }
        case .substituteSummary: if substituteSummary == nil { substituteSummary = text }
        case .content: if item.content == nil { item.content = text }
        case .timeToLive, .updatePeriod, .updateFrequency, .skippedHour, .skippedDay: break
        }
    }

    /// Returns the finished item; its link is the best candidate that widgets can open.
    ///
    /// A relative link without a base URL is resolved against `base`, which is the link of the feed, or `documentURL`
    /// if the feed has none. A relative id without a base URL is always resolved against `documentURL`.
    func finished(base: String, documentURL: String) -> ParsedItem {
        var item = item
        item.title = item.title ?? substituteTitle
        item.id = item.id ?? relativeID?.joined(base: documentURL) ?? substituteID
        item.summary = item.summary ?? substituteSummary
        // Some feeds have a short and a long text as `summary` and `description`, in either order.
        item.content = item.content ?? secondSummary
        if let date {
            item.published = item.published ?? date
            item.updated = item.updated ?? date
        }
        let authors = [authors, substituteAuthors, sourceAuthors].first { !$0.isEmpty } ?? []
        let names = authors.filter { !AuthorName.isAddress($0) }
        item.author = (names.isEmpty ? authors : names).joined(separator: ", ").shortened(
            to: ParsedFeed.maximumNameCharacters
        )
        item.link = link(base: base, documentURL: documentURL)
        return item
    }

    private func link(base: String, documentURL: String) -> String? {
        var best: (rank: LinkRank, link: String)?
        for candidate in links where best.map({ candidate.rank < $0.rank }) ?? true {
            guard let link = candidate.resolved(base: candidate.rank == .document ? documentURL : base) else {
                continue
            }
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
