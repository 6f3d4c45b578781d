// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A feed with all of its parts, independent of its format.
public struct ParsedFeed: Hashable, Sendable {
    /// The maximum number of items that are read.
    public static let maximumItems = 1000

    /// The title with its original markup; ``MarkedText/plain(limit:)`` returns the text without markup.
    public var title: MarkedText?
    /// The absolute URL of the feed's site.
    public var link: String?
    public var subtitle: MarkedText?
    /// The publisher's hints about when the feed changes.
    public var hints = FeedHints()
    /// A Boolean value that indicates whether displays should show the widget; nil if the feed says nothing about it.
    public var hasContent: Bool?
    /// The items, in the order of the document until `sort(asOf:)` changes it.
    public var items: [ParsedItem] = []
    /// A Boolean value that indicates whether the document contains the end of its root element.
    ///
    /// It is false for a truncated document, even if the transfer was complete.
    public internal(set) var isComplete = true
    /// A Boolean value that indicates whether the feed has more items than were read.
    var isLimited = false
    /// A Boolean value that indicates whether the document contains anything specific to feeds.
    ///
    /// It is false if the document has the root element of a feed, but no other element of a feed.
    var isRecognized = true

    public init() {}

    /// Sorts the items by date, the newest first, as ``FeedContent/latestFirst(_:asOf:date:)`` does.
    public mutating func sort(asOf now: Instant) {
        items = FeedContent.latestFirst(items, asOf: now) { $0.published ?? $0.updated }
    }
}

/// One item of a feed.
public struct ParsedItem: Hashable, Sendable {
    /// The id of the item in the feed (such as `guid` or `id`), or else a substitute.
    ///
    /// The substitute is the item's own link, or else a digest of its title and text. The id is nil only in a feed that
    /// was built in memory, until its missing parts are filled in.
    public var id: String?
    /// The title, or else the beginning of the text, or else the link.
    public var title: MarkedText?
    /// The absolute http or https link of the item, or else the link of the feed's site.
    public var link: String?
    public var author: String?
    public var published: Instant?
    public var updated: Instant?
    public var summary: MarkedText?
    public var content: MarkedText?
    /// A Boolean value that indicates whether the item contains nothing to show.
    public var isEmpty = false

    public init() {}
}

/// A text with its markup language.
public struct MarkedText: Hashable, Sendable {
    public enum Markup: String, Hashable, Sendable {
        /// Plain text: every character is literal.
        case plain
        /// HTML, with tags and character references.
        case html
    }

    public var text: String
    public var markup: Markup

    public init(_ text: String, _ markup: Markup) {
        self.text = text
        self.markup = markup
    }

    /// A Boolean value that indicates whether the text is empty without its markup and white space.
    var isBlank: Bool { plain(limit: 1).isEmpty }

    /// Returns the text on one line and without markup.
    ///
    /// At least the first `limit` characters are returned; the rest of a longer text may be missing.
    public func plain(limit: Int = .max) -> String {
        switch markup {
        case .plain: PlainText.collapse(text, limit: limit)
        case .html: PlainText.fromHTML(text, limit: limit)
        }
    }
}
