// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The dialect of the RSS versions that are based on RDF: 0.90, 1.0 and 1.1.
///
/// In 0.90 and 1.0 (https://web.resource.org/rss/1.0/spec), items are siblings of the channel. In 1.1
/// (https://inamidst.com/rss1.1/), items are children of the element `items`. All elements of an
/// item or a channel are read as in RSS 2.0, including elements that only RSS 2.0 defines.
struct RDFDialect: FeedDialect {
    private var rss = RSSDialect()

    var draft: FeedDraft {
        get { rss.draft }
        // The draft is modified in place, because a copy would take longer with each item.
        _modify { yield &rss.draft }
    }

    func isItem(_ element: XMLElement) -> Bool { rss.isItem(element) }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        rss.role(of: element, in: parent)
    }

    mutating func take(_ field: FeedField, _ text: MarkedText, of element: XMLElement) {
        rss.take(field, text, of: element)
    }

    mutating func didBeginItem(_ element: XMLElement) {
        guard let about = element.anyAttribute(.about) else { return }
        rss.draft.take(.substituteID, MarkedText(about, .plain), base: nil)
        if WebLink.isAbsolute(about) { rss.draft.take(link: about, .permanent, base: nil) }
    }
}
