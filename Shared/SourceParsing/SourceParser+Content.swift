// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

extension SourceParser {
    /// What widgets keep of a feed that did not come as a document: as `parse` makes it of one.
    ///
    /// `documentURL` names the feed where an item has neither a title nor a text nor a link.
    public static func content(of feed: ParsedFeed, documentURL: String) -> FeedContent {
        var feed = feed
        feed.complete(author: nil, documentURL: documentURL)
        return FeedContent(feed)
    }
}
