// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceParsing
import WidgetSchema

/// A feed as `tidings inspect` writes it: titles and authors as plain text, summaries and contents as HTML.
///
/// What is not known is absent. An item at a time is made and written: a large feed is in memory once.
struct InspectedFeed {
    let feed: ParsedFeed

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.beginObject("feed")
        writer.member("link", feed.link)
        writer.member("subtitle", feed.subtitle?.plain())
        writer.member("title", feed.title?.plain())
        writer.endObject()
        writer.beginArray("items")
        for item in feed.items {
            writer.beginObject()
            writer.member("author", item.author)
            writer.member("content", item.content?.html)
            writer.member("id", item.id)
            writer.member("link", item.link)
            writer.member("published", item.published?.description)
            writer.member("summary", item.summary?.html)
            writer.member("title", item.title?.plain())
            writer.member("updated", item.updated?.description)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        writer.finish()
    }
}
