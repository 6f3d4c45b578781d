// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// RSS 0.90 and 1.0, whose items stand beside the channel (https://web.resource.org/rss/1.0/spec).
struct RDFDialect: FeedDialect {
    var draft = FeedDraft()

    func isItem(_ element: XMLElement) -> Bool {
        element.name == .item && element.vocabulary == .rss
    }

    mutating func role(of element: XMLElement, in parent: XMLElement) -> ElementRole {
        guard element.vocabulary == .rss else { return role(ofExtension: element) }
        switch element.name {
        case .channel: return .container
        case .item: return .item
        case .title: return .text(.title, .html)
        case .link: return .text(.link, .plain)
        case .description: return .text(.summary, .html)
        // Those of RSS 2.0 occur too.
        case .guid: return .text(.id, .plain)
        case .pubdate: return .text(.published, .plain)
        case .author: return .text(.author, .html)
        // `image` and `textinput` have titles and links that are not the feed's; `items` is a table of contents.
        default: return .skipped
        }
    }

    mutating func didBeginItem(_ element: XMLElement) {
        guard let about = element.anyAttribute(.about) else { return }
        draft.take(.otherID, MarkedText(about, .plain), base: nil)
        if WebLink.isAbsolute(about) { draft.take(link: about, .permanent, base: nil) }
    }
}
