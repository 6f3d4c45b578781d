// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import JSON
import SourceParsing
import WidgetSchema

/// A feed in the output of `tidings inspect`: titles and authors as plain text, summaries and contents as HTML.
///
/// Members for which the feed has no value are omitted. Items are written one at a time, so that the output of a large
/// feed is never in memory as a whole.
struct InspectedFeed {
    let feed: ParsedFeed

    func write(to writer: inout JSONStreamWriter) {
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
