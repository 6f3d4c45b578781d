// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A feed with everything that was found in it, whatever its format.
public struct ParsedFeed: Hashable, Sendable {
    /// Items beyond this number are not read.
    public static let maximumItems = 1000

    /// Markup as found: plain text comes from `PlainText`.
    public var title: MarkedText?
    /// The site that the feed belongs to; absolute.
    public var link: String?
    public var subtitle: MarkedText?
    /// What it says about when it changes.
    public var hints = FeedHints()
    /// A Boolean value that indicates whether hosts should show the widget; nil if the feed says nothing about it.
    public var hasContent: Bool?
    /// In the feed's order.
    public var items: [ParsedItem] = []
    /// A Boolean value that indicates whether the document goes on to the end of its root element.
    ///
    /// False for a document that was cut off, also if its transfer was complete.
    public internal(set) var isComplete = true
    /// Whether it has more items than were read.
    var isLimited = false
    /// Whether it has anything that only a feed has; false for a foreign document with the root element of a feed.
    var isRecognized = true

    public init() {}
}

/// One item of a feed.
public struct ParsedItem: Hashable, Sendable {
    /// The feed's own name for it, guid or id; else its link, else a digest of its text.
    public var id: String?
    /// Where the item has none, the beginning of its text or its link.
    public var title: MarkedText?
    /// Absolute, http or https; where the item has none, the site's.
    public var link: String?
    public var author: String?
    public var published: Instant?
    public var updated: Instant?
    public var summary: MarkedText?
    public var content: MarkedText?
    /// Whether it says nothing of its own that could be shown.
    public var isEmpty = false

    public init() {}
}

/// A text together with the language it is written in.
public struct MarkedText: Hashable, Sendable {
    public enum Markup: String, Hashable, Sendable {
        /// Every character stands for itself.
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

    /// Whether there is nothing to see of it but white space.
    var isBlank: Bool { plain(limit: 1).isEmpty }

    /// The text without markup on one line, of at most about so many characters.
    public func plain(limit: Int = .max) -> String {
        switch markup {
        case .plain: PlainText.collapse(text, limit: limit)
        case .html: PlainText.fromHTML(text, limit: limit)
        }
    }
}
