// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// The files that the usages name, in a folder of their own.
enum UsageFiles {
    private static let texts: [String: String] = [
        "good.yml": """
        widgets:
          blog: {kind: feed, source: "https://example.org/feed.xml"}
          notes: {kind: feed, source: push}
        """,
        "broken.yml": """
        widgets:
          blog:
            kind: fed
        buss: 1
        bus: {address: "tcp://127.0.0.1:1,tcp://127.0.0.1:2,tcp://127.0.0.1:3"}
        """,
        "tab.yml": "widgets:\n\tblog: {kind: feed, source: push}\n",
        "anchor.yml": "widgets:\n  blog: &b {kind: feed, source: push}\n  news: *b\n",
        "binary.yml": "\u{0}\u{1}widgets",
        "exposed.yml": "bus: {address: \"tcp://*:5555\"}\n",
        "allowed.yml": "bus: {address: \"tcp://*:5555\", allowWithoutKeys: true}\n",
        "loopback.yml": "widgets:\n  a: {kind: feed, source: \"http://localhost:8080/feed.xml\"}\n",
        "private.yml": "widgets:\n  a: {kind: feed, source: \"http://192.168.1.7/feed.xml\"}\n",
        "home.yml": """
        fetching: {allowPrivateNetworks: true}
        widgets:
          a: {kind: feed, source: "http://192.168.1.7/feed.xml"}
        """,
        "odd.yml": """
        displays:
          wall: {family: today, locale: cy_GB}
        widgets:
          recent:
            kind: documents
            actions: [{title: "New", icon: doc.viewfindr, url: "https://example.org/"}]
            source: push
        """,
        "secret.yml": """
        widgets:
          a: {kind: feed, source: {url: "https://example.org/", headers: {Authorization: "Bearer ${NEWS_TOKEN}"}}}
        """,
        "feed.xml": "<rss><channel><title>Notes</title><item><title>One</title></item></channel></rss>",
        "quotes.json": #"{"quotes":[{"text":"To be","author":"W. S."}]}"#,
        "list.opml": #"<opml><body><outline text="A" xmlUrl="https://a.example/feed"/></body></opml>"#,
    ]

    static func write(to folder: URL) throws {
        for (name, text) in texts { try Data(text.utf8).write(to: folder.appending(path: name)) }
        try foreignArchive().write(to: folder.appending(path: "foreign.tar"))
    }

    /// Returns a tar archive that contains one empty file and no store.
    private static func foreignArchive() throws -> Data {
        var head = Data(count: 512)
        func put(_ text: String, at offset: Int) {
            head.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
        }
        put("readme.txt", at: 0)
        put("0000600\0", at: 100)
        put("00000000000\0", at: 124)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar\u{0}00", at: 257)
        let sum = head.reduce(0) { $0 + Int($1) }
        let digits = String(sum, radix: 8)
        put(String(repeating: "0", count: 6 - digits.count) + digits + "\0 ", at: 148)
        return head + Data(count: 1024)
    }
}
