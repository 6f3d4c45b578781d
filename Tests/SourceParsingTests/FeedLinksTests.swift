// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing

@Suite struct FeedLinksTests {
    @Test func aPageAnnouncesItsFeedsInItsOrder() {
        let page = """
            <!doctype html><html><head><title>A blog</title>
            <link rel="stylesheet" href="/style.css" type="text/css">
            <LINK REL="Alternate" TYPE="application/atom+xml; charset=utf-8" HREF="/feed.atom">
            <link rel="alternate home" type="application/rss+xml" title="Comments" href="https://example.org/comments">
            <link rel="alternate" type="application/atom+xml" href="/feed.atom">
            <link rel="alternate" hreflang="de" href="/de/">
            <body><p>Unclosed <b>markup
            """
        #expect(
            FeedLinks.find(in: Data(page.utf8), documentURL: "https://example.org/blog/") == [
                "https://example.org/feed.atom", "https://example.org/comments",
            ]
        )
    }

    @Test func theBaseOfThePageCounts() {
        let page = """
            <base href="https://static.example.org/x/"><link rel=alternate type=application/rss+xml href=feed.xml>
            """
        #expect(
            FeedLinks.find(in: Data(page.utf8), documentURL: "https://example.org/") == [
                "https://static.example.org/x/feed.xml"
            ]
        )
    }

    @Test(arguments: [
        "", "plain text", "<link rel=alternate type=application/rss+xml href=javascript:alert(1)>",
        "<link rel=alternate type=application/rss+xml>", "<link rel=alternate type=text/html href=/de/>",
        "{\"a\": 1}", "\0\0\0", "<!-- <link rel=alternate type=application/rss+xml href=/feed> -->",
    ])
    func anythingElseAnnouncesNothing(_ page: String) {
        #expect(FeedLinks.find(in: Data(page.utf8), documentURL: "https://example.org/").isEmpty)
    }

    @Test func aHugePageIsSearchedInItsBeginningOnly() {
        let filler = String(repeating: "<p>x</p>", count: 200_000)
        let page = filler + "<link rel=alternate type=application/rss+xml href=/feed>"
        #expect(FeedLinks.find(in: Data(page.utf8), documentURL: "https://example.org/").isEmpty)
    }
}
