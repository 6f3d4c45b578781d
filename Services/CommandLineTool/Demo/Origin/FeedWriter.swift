// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A writer for feeds in the format RSS 2.0 or Atom 1.0; equal feeds give equal bytes.
enum FeedWriter: Sendable {
    case rss
    case atom

    var contentType: String {
        switch self {
        case .rss: "application/rss+xml; charset=utf-8"
        case .atom: "application/atom+xml; charset=utf-8"
        }
    }

    func text(of feed: DemoFeed) -> String {
        switch self {
        case .rss: rss(feed)
        case .atom: atom(feed)
        }
    }

    /// Returns the feed as RSS 2.0, with Dublin Core elements for the names of authors.
    private func rss(_ feed: DemoFeed) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/">
              <channel>
                <title>\(Markup.escaped(feed.title))</title>
                <link>\(Markup.escaped(feed.link))</link>
                <description>\(Markup.escaped(feed.summary))</description>
                <lastBuildDate>\(FeedDateText.rfc1123(feed.updated))</lastBuildDate>

            """
        for post in feed.posts {
            text += """
                    <item>
                      <guid isPermaLink="false">\(Markup.escaped(post.id))</guid>
                      <title>\(Markup.escaped(post.title))</title>
                      <link>\(Markup.escaped(post.link))</link>
                      <dc:creator>\(Markup.escaped(post.author))</dc:creator>
                      <pubDate>\(FeedDateText.rfc1123(post.published))</pubDate>
                      <description>\(Markup.escaped(post.summary))</description>
                    </item>

                """
        }
        return text + "  </channel>\n</rss>\n"
    }

    /// Returns the feed as Atom 1.0 (RFC 4287).
    private func atom(_ feed: DemoFeed) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom">
              <id>\(Markup.escaped(feed.link))</id>
              <title>\(Markup.escaped(feed.title))</title>
              <subtitle>\(Markup.escaped(feed.summary))</subtitle>
              <link rel="alternate" href="\(Markup.escaped(feed.link))"/>
              <updated>\(FeedDateText.rfc3339(feed.updated))</updated>

            """
        for post in feed.posts {
            text += """
                  <entry>
                    <id>\(Markup.escaped(post.id))</id>
                    <title>\(Markup.escaped(post.title))</title>
                    <link rel="alternate" href="\(Markup.escaped(post.link))"/>
                    <author><name>\(Markup.escaped(post.author))</name></author>
                    <published>\(FeedDateText.rfc3339(post.published))</published>
                    <updated>\(FeedDateText.rfc3339(post.published))</updated>
                    <summary type="html">\(Markup.escaped(post.summary))</summary>
                  </entry>

                """
        }
        return text + "</feed>\n"
    }
}
