// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// How one format of feeds says things: which element means what.
protocol FeedDialect {
    /// What an element means that stands in those that were entered.
    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole
    /// Takes the text of an element that was a `field`.
    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement, base: String?)
    /// Begins an item; the one before has ended.
    mutating func beginItem(_ element: XMLElement)
    /// Ends the item that was begun.
    mutating func endItem()
    /// Gives up the item that was begun and not ended.
    mutating func dropItem()
    /// The number of items ended so far.
    var itemCount: Int { get }
    /// The feed, with every link resolved.
    consuming func finish(documentURL: String) -> ParsedFeed
}

/// What an element means to a reader of feeds.
enum ElementRole {
    /// Its children are read.
    case container
    /// Neither it nor anything in it matters.
    case skipped
    /// It begins an item, and its end ends it.
    case item
    /// Its text is wanted.
    case text(FeedField, TextForm)
}

/// The parts of a feed that readers want.
enum FeedField {
    case title
    case link
    case subtitle
    case id
    case author
    /// An author in a second vocabulary, taken where the first has none.
    case otherAuthor
    case published
    case updated
    case summary
    case content
}

/// How an element holds its text.
enum TextForm {
    /// As characters; elements within are dropped, their text is kept.
    case plain
    /// As characters that are HTML; elements within are part of it.
    case html
    /// As elements, whose text stands for itself.
    case xhtml
}

/// An item as it is being read: its links wait for the feed's own.
struct ItemDraft {
    var item = ParsedItem()
    var authors: [String] = []
    var otherAuthors: [String] = []
    /// Candidates for the item's link in order of preference, best first, each with the base in force.
    var links: [(rank: Int, reference: String, base: String?)] = []

    /// Takes what is alike in all formats; the first of each kind counts.
    mutating func take(_ field: FeedField, _ text: MarkedText) {
        switch field {
        case .title: if item.title == nil { item.title = text }
        case .id: if item.id == nil { item.id = PlainText.trimmed(text.text) }
        case .author: Self.add(text, to: &authors)
        case .otherAuthor: Self.add(text, to: &otherAuthors)
        case .published: if item.published == nil { item.published = FeedDate.parse(text.text) }
        case .updated: if item.updated == nil { item.updated = FeedDate.parse(text.text) }
        case .summary: if item.summary == nil { item.summary = text }
        case .content: if item.content == nil { item.content = text }
        case .link, .subtitle: break
        }
    }

    /// The item, with the best link that can be opened.
    func finished(base: String) -> ParsedItem {
        var item = item
        let authors = authors.isEmpty ? otherAuthors : authors
        item.author = authors.isEmpty ? nil : authors.joined(separator: ", ")
        let candidates = links.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        for (_, candidate) in candidates {
            item.link = WebLink.resolve(candidate.reference, base: candidate.base ?? base)
            if item.link != nil { break }
        }
        return item
    }

    private static func add(_ text: MarkedText, to authors: inout [String]) {
        let name = AuthorName.parse(text.plain(limit: FeedContent.maximumTitleCharacters))
        if !name.isEmpty, !authors.contains(name) { authors.append(name) }
    }
}
