// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing

@Suite struct FeedLinksTests {
    private func links(_ page: String, at address: String = "https://example.org/") -> [String] {
        FeedLinks.find(in: Data(page.utf8), documentURL: address)
    }

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
        let found = links(page, at: "https://example.org/blog/")
        #expect(found == ["https://example.org/feed.atom", "https://example.org/comments"])
    }

    @Test func theBaseOfThePageCounts() {
        let page = """
            <base href="https://static.example.org/x/"><base href="/y/">
            <link rel=alternate type=application/rss+xml href=feed.xml>
            """
        #expect(links(page) == ["https://static.example.org/x/feed.xml"])
    }

    @Test(arguments: [
        "", "plain text", "<link rel=alternate type=application/rss+xml href=javascript:alert(1)>",
        "<link rel=alternate type=application/rss+xml>", "<link rel=alternate type=text/html href=/de/>", #"{"a": 1}"#,
        "\0\0\0", "<!-- <link rel=alternate type=application/rss+xml href=/feed> -->",
    ])
    func anythingElseAnnouncesNothing(_ page: String) { #expect(links(page).isEmpty) }

    @Test(arguments: [
        "<link href='/a?x=1&amp;y=2' rel='alternate' type='application/rss+xml'>",
        #"<link/rel=alternate type=application/rss+xml href="/a?x=1&#38;y=2"/>"#,
        #"<link title='a > b " c' rel = alternate type = application/rss+xml href = /a?x=1&y=2 href=/b>"#,
        "<script>if (a<b) { '<link rel=alternate type=application/rss+xml href=/no>' }</script>"
            + "<link rel=alternate type=application/rss+xml href='/a?x=1&y=2'>",
        "<link =x rel=alternate type=application/rss+xml href=/a?x=1&y=2>",
    ])
    func attributesAreReadInEachForm(_ page: String) { #expect(links(page) == ["https://example.org/a?x=1&y=2"]) }

    @Test func aTagWithTooManyAttributesIsIgnored() {
        let attributes = (0..<50_000).map { "a\($0)=b" }.joined(separator: " ")
        let page =
            "<link rel=alternate type=application/rss+xml href=/a \(attributes)>"
            + "<link rel=alternate type=application/rss+xml href=/b>"
        let found = links(page)
        #expect(found == ["https://example.org/b"])
    }

    @Test func onlyTheFirstThousandLinksAreJoinedWithTheAddressOfThePage() {
        let link = { (name: String) in "<link rel=alternate type=application/rss+xml href=\(name)>" }
        func find(_ repeated: Int) -> [String] { links(String(repeating: link("a"), count: repeated) + link("b")) }
        #expect(find(999) == ["https://example.org/a", "https://example.org/b"])
        #expect(find(1_000) == ["https://example.org/a"])
    }

    @Test func aHugePageIsSearchedInItsBeginningOnly() {
        let filler = String(repeating: "<p>x</p>", count: 200_000)
        let page = filler + "<link rel=alternate type=application/rss+xml href=/feed>"
        #expect(links(page).isEmpty)
    }
}
