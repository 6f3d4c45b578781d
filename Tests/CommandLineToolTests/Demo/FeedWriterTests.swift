// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import CommandLineTool

@Suite struct FeedWriterTests {
    private let feed = DemoFeed(
        title: "A & B",
        link: "https://example.com/?a=1&b=2",
        summary: "<s>",
        updated: 1_763_280_000,
        posts: [
            DemoPost(
                id: "1",
                title: "\"x\" < y\u{1}",
                author: "Ü",
                link: "https://example.com/1",
                summary: "<b>s</b>",
                published: 0
            )
        ]
    )

    @Test func markupIsEscapedAndControlCharactersAreDropped() {
        for writer in [FeedWriter.rss, .atom] {
            let text = writer.text(of: feed)
            #expect(text.contains("<title>A &amp; B</title>"))
            #expect(text.contains("<title>&quot;x&quot; &lt; y</title>"))
            #expect(text.contains("&lt;b&gt;s&lt;/b&gt;"))
            #expect(text.contains("https://example.com/?a=1&amp;b=2"))
        }
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT", "2000-02-28T23:59:59Z"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "2000-02-29T00:00:00Z"),
        (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 GMT", "2024-12-31T23:59:59Z"),
        (1_763_280_000, "Sun, 16 Nov 2025 08:00:00 GMT", "2025-11-16T08:00:00Z"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT", "2100-03-01T00:00:00Z"),
    ])
    func datesAreWrittenInBothForms(seconds: Int, rfc1123: String, rfc3339: String) {
        #expect(FeedDateText.rfc1123(seconds) == rfc1123)
        #expect(FeedDateText.rfc3339(seconds) == rfc3339)
    }
}
