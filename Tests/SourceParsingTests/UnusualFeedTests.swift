// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Feeds in the forms that programs write although no specification allows them.
@Suite struct UnusualFeedTests {
    private static let atom = "http://www.w3.org/2005/Atom"

    @Test(arguments: [
        atom, "http://purl.org/rss/1.0/modules/content/", "http://purl.org/dc/elements/1.1/", "urn:shop",
        "http://search.yahoo.com/mrss/", "http://www.w3.org/1999/xhtml",
    ])
    func rssIsReadInAnyDefaultNamespace(namespace: String) throws {
        let feed = try FeedSamples.parse(
            """
            <rss version="2.0" xmlns="\(namespace)" xmlns:a="\(Self.atom)"><channel><title>Harbour</title>
            <a:link rel="self" href="https://a.example/feed.xml"/><link>https://a.example/</link>
            <item><title>Tide</title><link>https://a.example/tide</link><description>High</description>
            <pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate></item></channel></rss>
            """
        )
        #expect(feed.title == "Harbour")
        #expect(feed.link == "https://a.example/")
        let item = try #require(feed.items.first)
        #expect(item.title == "Tide")
        #expect(item.link == "https://a.example/tide")
        #expect(item.summary == "High")
        #expect(item.published == Instant("2026-11-21T00:00:00Z"))
    }

    @Test func aLinkWithARelationIsReadAsThatOfAtom() throws {
        let feed = try FeedSamples.parse(
            "<rss xmlns='\(Self.atom)'><channel><title>T</title><link rel='self' href='https://a.example/feed.xml'/>"
                + "<link>https://a.example/</link><item><title>x</title></item></channel></rss>"
        )
        #expect(feed.link == "https://a.example/")
    }

    @Test(arguments: [
        ("Tide &#55356;&#57098;!", "Tide 🌊!"), ("&#xD83C;&#xDF0A;", "🌊"), ("a&#xd83c;b", "a\u{FFFD}b"),
        ("a&#57098;b", "a\u{FFFD}b"), ("a&#55356;&#65;", "a\u{FFFD}A"), ("&amp;#55356;&amp;#57098;", "🌊"),
        ("a&#1;b&#x1F;c&#xFFFE;d&#0;e", "abcde"), ("a&amp;#7;b", "ab"), ("a&#9;b&#10;c", "a b c"),
        ("a&#x1FFFF;b", "ab"), ("a&#1114112;b", "a&#1114112;b"), ("&#55356;&#57098", "\u{FFFD}&#57098"),
    ])
    func referencesWithoutACharacterOfTheirOwnAreRead(text: String, shown: String) throws {
        #expect(try FeedSamples.item("<title>\(text)</title>")?.title == shown)
        let entry =
            "<feed xmlns='\(Self.atom)'><title>T</title><entry><id>1</id><title type='html'>\(text)</title></entry></feed>"
        #expect(try FeedSamples.parse(entry).items.first?.title == shown)
    }

    @Test(arguments: [
        "<entry xmlns='\(atom)'><id>9</id><title>Inner</title></entry>", "<entry><title>Inner</title></entry>",
        "<entry/>", "<feed xmlns='\(atom)'><entry><content>x</content></entry><entry><title>y</title></entry></feed>",
        "<![CDATA[</content>]]><entry><title>Inner</title></entry>", "<item><title>Inner</title></item>",
    ])
    func anEntryInContentIsContent(inner: String) throws {
        let feed = try FeedSamples.parse(
            "<feed xmlns='\(Self.atom)'><title>T</title><entry><id>1</id><title>Outer</title>"
                + "<content type='application/xml'>\(inner)</content><link href='https://a.example/1'/></entry>"
                + "<entry><id>2</id><title>Next</title></entry></feed>"
        )
        #expect(feed.items.map(\.title) == ["Outer", "Next"])
        #expect(feed.items.first?.link == "https://a.example/1")
    }

    @Test func aTextWithoutItsEndTagHidesNoEntry() throws {
        let feed = try FeedSamples.parse(
            "<feed xmlns='\(Self.atom)'><title>T</title><entry><id>1</id><title>One</title><content>text"
                + "<entry><id>2</id><title>Two</title><content>more</content></entry></feed>"
        )
        #expect(feed.items.map(\.title) == ["One", "Two"])
    }

    @Test(arguments: SampleText.all("links"))
    func aLinkIsFoundInUnusualForms(_ elements: SampleText) throws {
        #expect(try FeedSamples.item("<title>x</title>" + elements.text)?.link == elements.expected)
    }

    @Test func anEmptyLinkWithoutABaseIsTheDocument() throws {
        let feed = try FeedSamples.parse(
            "<feed xmlns='\(Self.atom)'><title>T</title><link href='https://site.example/'/>"
                + "<entry><id>1</id><title>x</title><link href=''/></entry></feed>"
        )
        #expect(feed.items.first?.link == FeedSamples.documentURL)
    }

    @Test(arguments: ["cp-1251", "cp1251", "CP_1251", "win-1251", "windows1251", "x-cp1251", "1251", "ms-1251"])
    func aCharsetIsRecognisedInAnySpelling(label: String) throws {
        let title: [UInt8] = [0xcf, 0xf0, 0xe8, 0xf5, 0xf0]
        var bytes = Data("<?xml version='1.0' encoding='\(label)'?><rss><channel><title>".utf8)
        bytes.append(contentsOf: title)
        bytes.append(contentsOf: "</title><item><title>x</title></item></channel></rss>".utf8)
        #expect(try FeedSamples.parse(bytes).title == "Прихр")
    }

    @Test func aSingleEntryIsAFeed() throws {
        let entry =
            "<entry xmlns='\(Self.atom)'><id>urn:1</id><title>Alone</title><link href='https://a.example/1'/></entry>"
        let feed = try FeedSamples.parse(entry)
        #expect(feed.items.map(\.title) == ["Alone"])
        #expect(feed.items.map(\.link) == ["https://a.example/1"])
        #expect(throws: ParsingError.self) { try FeedSamples.parse("<entry xmlns='urn:shop'><title>x</title></entry>") }
        #expect(throws: ParsingError.self) { try FeedSamples.parse(String(entry.dropLast(9))) }
    }

    @Test(arguments: [
        ("<feed xmlns='urn:shop'><title>Shop</title><id>1</id></feed>", false),
        ("<feed xmlns='urn:shop' version='1.0'><title>Shop</title></feed>", false),
        ("<channel xmlns='urn:shop'><title>Shop</title></channel>", false),
        ("<feed xmlns='urn:shop'><title>Shop</title><entry><title>x</title></entry></feed>", true),
        ("<feed xmlns='urn:early' version='0.3'><title>T</title></feed>", true),
        ("<feed xmlns='\(atom)'><subtitle>T</subtitle></feed>", true),
        ("<rss xmlns='urn:shop'><channel><title>T</title></channel></rss>", true),
    ])
    func aForeignFeedNeedsAnEntry(document: String, isFeed: Bool) {
        let feed = try? FeedSamples.parse(document)
        #expect((feed != nil) == isFeed)
    }

    @Test func onlyTheEndOfTheRootMayBeCut() {
        let document = FeedSamples.rss("<item><title>x</title></item>")
        #expect((try? FeedSamples.parse(String(document.dropLast(1))))?.items.count == 1)
        #expect(throws: ParsingError.self) { try FeedSamples.parse(String(document.dropLast(2))) }
        #expect(throws: ParsingError.self) { try FeedSamples.parse(String(document.dropLast(7))) }
    }
}
