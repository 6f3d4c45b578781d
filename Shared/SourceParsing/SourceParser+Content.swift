// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension SourceParser {
    /// Returns the content of a feed that was pushed or built in memory.
    ///
    /// Missing parts of the feed and of its items are filled in, as by `parse`. If the feed has no link, `documentURL`
    /// becomes its link. Items without a link get the link of the feed.
    public static func content(of feed: ParsedFeed, documentURL: String) -> FeedContent {
        var feed = feed
        feed.complete(author: nil, documentURL: documentURL)
        return FeedContent(feed)
    }
}
