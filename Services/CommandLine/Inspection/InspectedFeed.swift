// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceParsing
import WidgetSchema

/// A feed as `tidings inspect` writes it: titles and authors as plain text, summaries and contents as HTML.
///
/// What is not known is absent.
struct InspectedFeed: Encodable {
    struct Head: Encodable {
        var title: String?
        var link: String?
        var subtitle: String?
    }

    struct Item: Encodable {
        var id: String?
        var title: String?
        var link: String?
        var author: String?
        var published: Instant?
        var updated: Instant?
        var summary: String?
        var content: String?
    }

    var feed: Head
    var items: [Item]

    init(_ parsed: ParsedFeed) {
        feed = Head(title: parsed.title?.plain(), link: parsed.link, subtitle: parsed.subtitle?.plain())
        items = parsed.items.map { item in
            Item(
                id: item.id,
                title: item.title?.plain(),
                link: item.link,
                author: item.author,
                published: item.published,
                updated: item.updated,
                summary: item.summary?.html,
                content: item.content?.html
            )
        }
    }
}
