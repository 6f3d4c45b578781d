// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension SourceParser {
    /// Returns the content of a feed that was pushed or built in memory, as `parse` would return it for a document.
    ///
    /// If the feed has no link, `documentURL` becomes its link, and the title of an item without title, text and link.
    public static func content(of feed: ParsedFeed, documentURL: String) -> FeedContent {
        var feed = feed
        feed.complete(author: nil, documentURL: documentURL)
        return FeedContent(feed)
    }
}
