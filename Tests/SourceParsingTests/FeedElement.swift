// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceParsing
import Testing

/// An element that may be in every format of feeds, and the part that it gives.
struct FeedElement: Sendable, CustomTestStringConvertible {
    let text: String
    let part: String
    let value: String

    init(_ text: String, _ part: String, _ value: String) { (self.text, self.part, self.value) = (text, part, value) }

    var testDescription: String { text }

    /// The tables of `Fixtures/elements.json`: rows with prefixes, an element, and the part and value that it gives.
    ///
    /// There is one element for each prefix; the prefix replaces `#:` in the element, and `-` is no prefix.
    private static let tables: [String: [[String]]] = FeedSamples.json("elements.json") ?? [:]

    private static func elements(_ table: String) -> [FeedElement] {
        (tables[table] ?? []).flatMap { row in
            row[0].split(separator: " ").map { prefix in
                FeedElement(row[1].replacing("#:", with: prefix == "-" ? "" : "\(prefix):"), row[2], row[3])
            }
        }
    }

    /// Elements of an item.
    static let ofItems = elements("items")
    /// Elements of a feed.
    static let ofFeeds = elements("feeds")
    /// Whole elements that have parts of their own, which are neither the item's nor the feed's.
    static let foreign = (tables["foreign"] ?? []).flatMap { $0 }

    /// Returns a part of an item.
    func found(in item: ParsedItem) -> String? {
        switch part {
        case "title": item.title?.plain()
        case "author": item.author
        case "published": item.published.map { "\($0)" }
        case "updated": item.updated.map { "\($0)" }
        case "summary": item.summary?.plain()
        case "content": item.content?.plain()
        case "link": item.link
        case "id": item.id
        default: nil
        }
    }

    /// Returns a part of a feed; its author is that of an item without one.
    func found(in feed: ParsedFeed) -> String? {
        switch part {
        case "title": feed.title?.plain()
        case "subtitle": feed.subtitle?.plain()
        case "link": feed.link
        case "author": feed.items.first?.author
        default: nil
        }
    }
}
