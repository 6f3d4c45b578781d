// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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
                <title>\(escaped(feed.title))</title>
                <link>\(escaped(feed.link))</link>
                <description>\(escaped(feed.summary))</description>
                <lastBuildDate>\(FeedDate.rfc1123(feed.updated))</lastBuildDate>

            """
        for post in feed.posts {
            text += """
                    <item>
                      <guid isPermaLink="false">\(escaped(post.id))</guid>
                      <title>\(escaped(post.title))</title>
                      <link>\(escaped(post.link))</link>
                      <dc:creator>\(escaped(post.author))</dc:creator>
                      <pubDate>\(FeedDate.rfc1123(post.published))</pubDate>
                      <description>\(escaped(post.summary))</description>
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
              <id>\(escaped(feed.link))</id>
              <title>\(escaped(feed.title))</title>
              <subtitle>\(escaped(feed.summary))</subtitle>
              <link rel="alternate" href="\(escaped(feed.link))"/>
              <updated>\(FeedDate.rfc3339(feed.updated))</updated>

            """
        for post in feed.posts {
            text += """
                  <entry>
                    <id>\(escaped(post.id))</id>
                    <title>\(escaped(post.title))</title>
                    <link rel="alternate" href="\(escaped(post.link))"/>
                    <author><name>\(escaped(post.author))</name></author>
                    <published>\(FeedDate.rfc3339(post.published))</published>
                    <updated>\(FeedDate.rfc3339(post.published))</updated>
                    <summary type="html">\(escaped(post.summary))</summary>
                  </entry>

                """
        }
        return text + "</feed>\n"
    }

    /// Returns text escaped for element content and for attribute values in double quotes.
    private func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
            // No other control character is allowed in XML 1.0, not even escaped.
            case "\u{0}"..."\u{1f}", "\u{fffe}", "\u{ffff}": continue
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
