// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct RSSTests {
    private let blog: FeedContent

    init() throws {
        blog = try FeedSamples.parse(try FeedSamples.fixture("blog.rss"), contentType: "application/rss+xml")
    }

    @Test func theFeedSaysItsTitleAndSite() {
        #expect(blog.title == "Harbour & Light")
        #expect(blog.link == "https://blog.example/")
        #expect(blog.items.count == 3)
    }

    @Test func anItemGivesAllItsParts() {
        let first = FeedItem(
            id: "post-3",
            title: "Tide tables — a primer",
            author: "Ines Falk",
            published: Instant("2026-11-21T07:30:00Z"),
            link: "https://blog.example/tides?a=1&b=2",
            summary: "High water twice a day. Low water too."
        )
        #expect(blog.items.first == first)
    }

    @Test func aGuidThatIsALinkServesAsOne() {
        #expect(blog.items.map(\.id).dropFirst() == ["https://blog.example/knots", "https://blog.example/lamps"])
        #expect(blog.items.map(\.link).dropFirst() == ["https://blog.example/knots", "https://blog.example/lamps"])
        #expect(blog.items[1].title == "Ropes & knots")
        #expect(blog.items[1].author == "Ole Brandt")
        #expect(blog.items.map(\.published).dropFirst() == [Instant("2026-11-20T09:05:00Z"), nil])
    }

    @Test func anItemWithoutTitleBorrowsFromItsText() {
        #expect(blog.items.last?.title == "A post without a title, whose text tells what it is about.")
    }

    @Test func theWholeIsKeptForInspection() throws {
        let feed = try SourceParser.parseFeed(
            FeedSamples.body(
                try FeedSamples.fixture("blog.rss")
            )
        )
        #expect(feed.subtitle?.plain() == "Notes from the quay")
        #expect(feed.items.first?.content == MarkedText("<p>The long form.</p>", .html))
        #expect(feed.items.first?.summary?.text.hasPrefix("<p>High water") == true)
    }

    @Test func aLongTextIsShortenedBetweenWords() throws {
        let text = String(repeating: "word ", count: 200)
        let item = try #require(try FeedSamples.item("<description>\(text)</description>"))
        #expect(item.summary.map { $0.count <= FeedItem.maximumSummaryCharacters } == true)
        #expect(item.summary?.hasSuffix("word…") == true)
        #expect(item.title.count <= 100)
        #expect(item.title.hasSuffix("word…"))
    }

    @Test func anItemWithoutTitleAndTextIsNamedByItsLink() throws {
        #expect(try FeedSamples.item("<link>https://a.example/x</link>")?.title == "https://a.example/x")
    }

    /// Checks the rule for titles of RSS, which does not say whether they are HTML.
    ///
    /// They are read as HTML, once; what is no tag or reference then stands for itself, and a title of nothing but tags
    /// without attributes speaks of these.
    @Test(arguments: SampleText.all("titles"))
    func onlyKnownElementsInATitleAreTags(_ title: SampleText) throws {
        let item = try FeedSamples.item("<title>\(title.text)</title><link>https://a.example/x</link>")
        #expect(item?.title == title.expected)
    }

    @Test func anItemThatSaysNothingIsLeftOut() throws {
        #expect(try FeedSamples.item("<title>  </title><pubDate>Sat, 21 Nov 2026 08:30:00 GMT</pubDate>") == nil)
    }

    @Test func idsFollowFromTheTextWhereThereIsNothingElse() throws {
        let first = try FeedSamples.item("<title>A</title><description>one</description>")
        let date = "<pubDate>21 Nov 2026 08:30 GMT</pubDate>"
        let again = try FeedSamples.item("<title>A</title><description>one</description>\(date)")
        let other = try FeedSamples.item("<title>A</title><description>two</description>")
        #expect(first?.id == again?.id)
        #expect(first?.id != other?.id)
    }

    @Test func itemsOfOneGuidGetDifferentIdsThatStay() throws {
        let old = "<item><guid>x</guid><title>A</title><link>https://a.example/1</link></item>"
        let new = "<item><guid>x</guid><title>B</title><link>https://a.example/2</link></item>"
        let items = try FeedSamples.parse(FeedSamples.rss(old + new + old)).items
        #expect(items.map(\.title) == ["A", "B", "A"])
        #expect(Set(items.map(\.id)).count == 3)
        let again = try FeedSamples.parse(FeedSamples.rss(old + new)).items
        #expect(again.map(\.id) == items.prefix(2).map(\.id))
    }

    @Test func noMoreItemsThanAWidgetCanUseAreTaken() throws {
        let items = (1...80).map { "<item><guid>\($0)</guid><title>Post \($0)</title></item>" }.joined()
        let feed = try FeedSamples.parse(FeedSamples.rss(items))
        #expect(feed.items.count == FeedContent.maximumItems)
        #expect(feed.items.first?.title == "Post 1")
    }

    @Test(arguments: [
        ("/a", "https://site.example/a"), ("b?c=1&amp;d=2", "https://site.example/blog/b?c=1&d=2"),
        ("//cdn.example/x", "https://cdn.example/x"), (" https://a.example/\n", "https://a.example/"),
        ("HTTP://A.example/", "HTTP://A.example/"),
    ])
    func linksBecomeAbsolute(reference: String, absolute: String) throws {
        let channel = "<link>https://site.example/blog/</link><item><title>x</title><link>\(reference)</link></item>"
        #expect(try FeedSamples.parse(FeedSamples.rss(channel)).items.first?.link == absolute)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "mailto:a@b.example", "ftp://a.b",
    ])
    func linksThatAreNoPagesAreDropped(reference: String) throws {
        // The site's stands in for it.
        #expect(try FeedSamples.item("<title>x</title><link>\(reference)</link>")?.link == FeedSamples.documentURL)
    }

    @Test func relativeLinksWithoutASiteFollowTheDocument() throws {
        #expect(try FeedSamples.item("<title>x</title><link>y</link>")?.link == "https://origin.example/feeds/y")
    }

    @Test func undeclaredPrefixesAreUnderstood() throws {
        let item = try FeedSamples.item("<title>x</title><dc:creator>Ann</dc:creator><media:title>no</media:title>")
        #expect(item?.author == "Ann")
        #expect(item?.title == "x")
    }

    @Test func markupThatWasNotEscapedIsReadAsMarkup() throws {
        let item = try FeedSamples.item("<title>A <b>bold</b> claim</title><description><p>1 &lt; 2</p></description>")
        #expect(item?.title == "A bold claim")
        #expect(item?.summary == "1 < 2")
    }
}
