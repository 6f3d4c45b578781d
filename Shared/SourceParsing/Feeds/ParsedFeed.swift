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
    /// In the feed's order.
    public var items: [ParsedItem] = []

    public init() {}
}

/// One item of a feed.
public struct ParsedItem: Hashable, Sendable {
    /// The feed's own name for it: guid or id.
    public var id: String?
    public var title: MarkedText?
    /// Absolute, http or https.
    public var link: String?
    public var author: String?
    public var published: Instant?
    public var updated: Instant?
    public var summary: MarkedText?
    public var content: MarkedText?

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

    /// The text without markup on one line, of at most about so many characters.
    public func plain(limit: Int = .max) -> String {
        switch markup {
        case .plain: PlainText.collapse(text, limit: limit)
        case .html: PlainText.fromHTML(text, limit: limit)
        }
    }
}
