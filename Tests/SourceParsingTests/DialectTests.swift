// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Elements of other vocabularies mean the same in every format and at every place.
@Suite struct DialectTests {
    /// A format, with a place for elements of its channel and one for those of an item.
    struct Format: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let start: String
        let middle: String
        let end: String

        private static let namespaces =
            "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:dcterms='http://purl.org/dc/terms/' "
            + "xmlns:content='http://purl.org/rss/1.0/modules/content/' "
            + "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:media='http://search.yahoo.com/mrss/' "
            + "xmlns:a='http://www.w3.org/2005/Atom' xmlns:a3='http://purl.org/atom/ns#' "
            + "xmlns:xhtml='http://www.w3.org/1999/xhtml' "
            + "xmlns:feedburner='http://rssnamespace.org/feedburner/ext/1.0' xmlns:sy='http://purl.org/rss/1.0/modules/syndication/'"

        static let all = [
            Format(
                testDescription: "RSS 0.91",
                start: "<rss version='0.91' \(namespaces)><channel>",
                middle: "<item>",
                end: "</item></channel></rss>"
            ),
            Format(
                testDescription: "RSS 2.0",
                start: "<rss version='2.0' \(namespaces)><channel>",
                middle: "<item>",
                end: "</item></channel></rss>"
            ),
            Format(
                testDescription: "RSS 2.0 with a namespace",
                start: "<rss version='2.0' xmlns='http://backend.userland.com/rss2' \(namespaces)><channel>",
                middle: "<item>",
                end: "</item></channel></rss>"
            ),
            Format(
                testDescription: "RSS 1.0",
                start: "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                    + "xmlns='http://purl.org/rss/1.0/' \(namespaces)><channel rdf:about='https://a.example/'>",
                middle: "</channel><item rdf:about='urn:item'>",
                end: "</item></rdf:RDF>"
            ),
            Format(
                testDescription: "RSS 0.90",
                start: "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
                    + "xmlns='http://my.netscape.com/rdf/simple/0.9/' \(namespaces)><channel>",
                middle: "</channel><item>",
                end: "</item></rdf:RDF>"
            ),
            Format(
                testDescription: "Atom 0.3",
                start: "<feed version='0.3' xmlns='http://purl.org/atom/ns#' \(namespaces)>",
                middle: "<entry>",
                end: "</entry></feed>"
            ),
            Format(
                testDescription: "Atom 1.0",
                start: "<feed xmlns='http://www.w3.org/2005/Atom' \(namespaces)>",
                middle: "<entry>",
                end: "</entry></feed>"
            ),
        ]

        func feed(_ head: String = "", item: String) throws -> ParsedFeed {
            try SourceParser.parseFeed(
                Data((start + head + middle + item + end).utf8),
                contentType: nil,
                documentURL: FeedSamples.documentURL
            )
        }
    }

    /// An element of an item, and what it gives: a part of the item by its name.
    static let elements: [(element: String, part: String, value: String)] = [
        ("<dc:title>T</dc:title>", "title", "T"), ("<itunes:title>T</itunes:title>", "title", "T"),
        ("<media:title>T</media:title>", "title", "T"), ("<a:title>T</a:title>", "title", "T"),
        ("<media:group><media:title>T</media:title></media:group>", "title", "T"),
        ("<media:content url='https://a.example/x'><media:title>T</media:title></media:content>", "title", "T"),
        ("<dc:creator>Ann</dc:creator>", "author", "Ann"), ("<dc:author>Ann</dc:author>", "author", "Ann"),
        ("<dc:contributor>Ann</dc:contributor>", "author", "Ann"),
        ("<itunes:author>Ann</itunes:author>", "author", "Ann"),
        ("<a:author><a:name>Ann</a:name></a:author>", "author", "Ann"),
        ("<a:author><a:email>ann@a.example</a:email></a:author>", "author", "ann@a.example"),
        ("<dc:date>2026-11-21T00:00:00Z</dc:date>", "published", "2026-11-21T00:00:00"),
        ("<dcterms:issued>2026-11-21T00:00:00Z</dcterms:issued>", "published", "2026-11-21T00:00:00"),
        ("<dcterms:created>2026-11-21T00:00:00Z</dcterms:created>", "published", "2026-11-21T00:00:00"),
        ("<dcterms:modified>2026-11-21T00:00:00Z</dcterms:modified>", "updated", "2026-11-21T00:00:00"),
        ("<a:published>2026-11-21T00:00:00Z</a:published>", "published", "2026-11-21T00:00:00"),
        ("<a:issued>2026-11-21T00:00:00Z</a:issued>", "published", "2026-11-21T00:00:00"),
        ("<a:updated>2026-11-21T00:00:00Z</a:updated>", "updated", "2026-11-21T00:00:00"),
        ("<a:modified>2026-11-21T00:00:00Z</a:modified>", "updated", "2026-11-21T00:00:00"),
        ("<pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate>", "published", "2026-11-21T00:00:00"),
        ("<dc:description>S</dc:description>", "summary", "S"), ("<description>S</description>", "summary", "S"),
        ("<itunes:summary>S</itunes:summary>", "summary", "S"),
        ("<itunes:subtitle>S</itunes:subtitle>", "summary", "S"),
        ("<media:description>S</media:description>", "summary", "S"), ("<a:summary>S</a:summary>", "summary", "S"),
        ("<content:encoded>&lt;p&gt;C&lt;/p&gt;</content:encoded>", "content", "C"),
        ("<a:content type='html'>&lt;p&gt;C&lt;/p&gt;</a:content>", "content", "C"),
        ("<a:link href='https://a.example/1'/>", "link", "https://a.example/1"),
        ("<a:link rel='enclosure' href='https://a.example/1.mp3'/>", "link", "https://a.example/1.mp3"),
        ("<enclosure url='https://a.example/1.mp3'/>", "link", "https://a.example/1.mp3"),
        ("<media:content url='https://a.example/1.mp4'/>", "link", "https://a.example/1.mp4"),
        (
            "<media:group><media:content url='https://a.example/1.jpg' type='image/jpeg'/>"
                + "<media:content url='https://a.example/1.mp4' type='video/mp4'/></media:group>", "link",
            "https://a.example/1.mp4"
        ),
        ("<feedburner:origLink>https://a.example/o</feedburner:origLink>", "link", "https://a.example/o"),
        ("<guid>urn:x</guid>", "id", "urn:x"),
        ("<dcterms:creator>Ann</dcterms:creator>", "author", "Ann"),
        ("<a3:author><a3:name>Ann</a3:name></a3:author>", "author", "Ann"),
        ("<dcterms:date>2026-11-21T00:00:00Z</dcterms:date>", "published", "2026-11-21T00:00:00"),
        ("<dcterms:available>2026-11-21T00:00:00Z</dcterms:available>", "published", "2026-11-21T00:00:00"),
        ("<a3:issued>2026-11-21T00:00:00Z</a3:issued>", "published", "2026-11-21T00:00:00"),
        ("<a3:created>2026-11-21T00:00:00Z</a3:created>", "published", "2026-11-21T00:00:00"),
        ("<a3:modified>2026-11-21T00:00:00Z</a3:modified>", "updated", "2026-11-21T00:00:00"),
        ("<dcterms:title>T</dcterms:title>", "title", "T"), ("<a3:title>T</a3:title>", "title", "T"),
        ("<dcterms:description>S</dcterms:description>", "summary", "S"),
        ("<a3:summary>S</a3:summary>", "summary", "S"),
        ("<a3:content>C</a3:content>", "content", "C"),
        ("<xhtml:body><xhtml:p>C</xhtml:p></xhtml:body>", "content", "C"),
        ("<a:title type='xhtml'><xhtml:div>T</xhtml:div></a:title>", "title", "T"),
        ("<a:link rel='alternate' href='https://a.example/1'/>", "link", "https://a.example/1"),
        ("<link href='https://a.example/1'/>", "link", "https://a.example/1"),
    ]

    private static func part(_ part: String, of item: ParsedItem) -> String? {
        switch part {
        case "title": item.title?.plain()
        case "author": item.author
        case "published": item.published.map { "\($0)" }
        case "updated": item.updated.map { "\($0)" }
        case "summary": item.summary?.plain()
        case "content": item.content?.plain()
        case "link": item.link
        case "id": item.id
        default: nil
        }
    }

    @Test(arguments: Format.all, elements)
    func anElementOfAnItemMeansTheSameInEveryFormat(
        format: Format,
        element: (element: String, part: String, value: String)
    ) throws {
        let feed = try format.feed("<title>Feed</title>", item: element.element)
        let item = try #require(feed.items.first)
        #expect(Self.part(element.part, of: item)?.hasPrefix(element.value) == true)
        #expect(feed.title?.plain() == "Feed")
    }

    @Test(
        arguments: Format.all,
        [
            "<dc:identifier>urn:x</dc:identifier>", "<dcterms:identifier>urn:x</dcterms:identifier>",
            "<a:id>urn:x</a:id>",
        ]
    )
    func anIdOfAnotherVocabularyCountsIfTheFormatHasNone(format: Format, element: String) throws {
        let item = try #require(try format.feed("<title>Feed</title>", item: element + "<title>I</title>").items.first)
        // The items of RSS 1.0 have one of their own, `rdf:about`.
        #expect(item.id == (format.testDescription == "RSS 1.0" ? "urn:item" : "urn:x"))
    }

    @Test(
        arguments: Format.all,
        [
            ("<dc:title>F</dc:title>", "title"), ("<itunes:title>F</itunes:title>", "title"),
            ("<a:title>F</a:title>", "title"),
            ("<media:title>F</media:title>", "title"), ("<dc:description>F</dc:description>", "subtitle"),
            ("<itunes:summary>F</itunes:summary>", "subtitle"), ("<a:subtitle>F</a:subtitle>", "subtitle"),
            ("<description>F</description>", "subtitle"), ("<dc:creator>F</dc:creator>", "author"),
            ("<itunes:author>F</itunes:author>", "author"), ("<a:author><a:name>F</a:name></a:author>", "author"),
        ]
    )
    func anElementOfAFeedMeansTheSameInEveryFormat(format: Format, element: (String, String)) throws {
        let feed = try format.feed(element.0, item: "<title>I</title>")
        switch element.1 {
        case "title": #expect(feed.title?.plain() == "F")
        case "subtitle": #expect(feed.subtitle?.plain() == "F")
        default: #expect(feed.items.first?.author == "F")
        }
        #expect(feed.items.map { $0.title?.plain() } == ["I"])
    }

    @Test(arguments: Format.all)
    func whatStandsInAnUnknownElementIsNoItem(format: Format) throws {
        for name in ["item", "entry"] {
            let inner = "<x:list xmlns:x='urn:x'><\(name)><title>No</title></\(name)></x:list>"
            let feed = try format.feed(inner, item: "<title>Yes</title>" + inner)
            #expect(feed.items.map { $0.title?.plain() } == ["Yes"])
        }
    }

    @Test func anUnknownElementWithoutItsEndSwallowsNoItem() throws {
        let feed = try FeedSamples.parse(
            FeedSamples.rss("<x:list><item><title>One</title></item><item><title>Two</title></item>")
        )
        #expect(feed.items.map(\.title) == ["One", "Two"])
    }

    @Test(arguments: Format.all)
    func relativeLinksFollowTheBasesAroundThem(format: Format) throws {
        let feed = try format.feed(
            "<a:link href='https://site.example/'/>",
            item: "<title>x</title><a:link xml:base='https://b.example/dir/' href='1'/>"
        )
        #expect(feed.items.first?.link == "https://b.example/dir/1")
        let relative = try format.feed(
            "<a:link href='https://site.example/'/>",
            item: "<title>x</title><a:link href='/2'/>"
        )
        #expect(relative.items.first?.link == "https://site.example/2")
    }

    @Test(arguments: [
        ("Ann Lee (ann@a.example)", "Ann Lee"), ("ann@a.example (Ann Lee)", "Ann Lee"),
        ("\"Ann Lee\" &lt;ann@a.example&gt;", "Ann Lee"), ("Ann Lee &lt;ann@a.example&gt;", "Ann Lee"),
        ("ann@a.example", "ann@a.example"), ("mailto:ann@a.example", "ann@a.example"),
        ("(ann@a.example)", "ann@a.example"), ("Ann (mailto:ann@a.example)", "Ann (mailto:ann@a.example)"),
        ("Ann (the first)", "Ann (the first)"), ("\"Ann\"", "Ann"), ("ann@a.example ()", "ann@a.example"),
    ])
    func anAuthorIsShownByName(text: String, name: String) throws {
        #expect(try FeedSamples.item("<title>x</title><author>\(text)</author>")?.author == name)
        let entry = "<entry><id>1</id><title>x</title><author><name>\(text)</name></author></entry>"
        let feed = try FeedSamples.parse("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>\(entry)</feed>")
        #expect(feed.items.first?.author == name)
    }

    @Test func aRecordingIsPreferredToThePictureOfItsCover() throws {
        let picture = "<enclosure url='https://a.example/cover.jpg' type='image/jpeg'/>"
        let recording = "<enclosure url='https://a.example/1.mp3' type='audio/mpeg'/>"
        for elements in [picture + recording, recording + picture] {
            #expect(try FeedSamples.item("<title>x</title>" + elements)?.link == "https://a.example/1.mp3")
        }
        #expect(try FeedSamples.item("<title>x</title>" + picture)?.link == "https://a.example/cover.jpg")
    }

    @Test func anItemWithoutAnyContentIsLeftOut() throws {
        let items =
            "<item></item><item><guid isPermaLink='false'>7</guid></item><item><pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate></item>"
        let feed = try FeedSamples.parse(FeedSamples.rss(items + "<item><title>x</title></item>"))
        #expect(feed.items.map(\.title) == ["x"])
    }

    @Test(arguments: [
        "Fri, 12/04/2020 - 14:05",
        "&lt;time datetime=\"2020-12-04T14:05:00+00:00\"&gt;Fri, 12/04/2020 - 14:05&lt;/time&gt;",
        "<time datetime='2020-12-04T14:05:00Z'>Fri, 12/04/2020 - 14:05</time>", "12/04/2020 - 14:05",
    ])
    func datesOfDrupalAreRead(date: String) throws {
        let item = try #require(try FeedSamples.item("<title>x</title><pubDate>\(date)</pubDate>"))
        #expect(item.published == Instant(milliseconds: 1_607_090_700_000))
    }

    /// The rule for titles of RSS, which does not say whether they are HTML.
    ///
    /// They are read as HTML, once; what is no tag or reference then stands for itself, and a title of nothing but tags
    /// without attributes speaks of these.
    @Test(arguments: [
        ("AT&amp;T", "AT&T"), ("AT&amp;amp;T", "AT&T"), ("a &lt; b", "a < b"), ("1 &amp;lt; 2", "1 < 2"),
        ("&lt;b&gt;Bold&lt;/b&gt; news", "Bold news"), ("&lt;video&gt;", "<video>"),
        ("Use &amp;lt;b&amp;gt;", "Use <b>"),
        ("<![CDATA[Ben &amp; Jerry]]>", "Ben & Jerry"), ("<![CDATA[<i>x</i> y]]>", "x y"), ("a & b", "a & b"),
    ])
    func anAmbiguousTitleFollowsTheRule(written: String, shown: String) throws {
        #expect(try FeedSamples.item("<title>\(written)</title><link>https://a.example/</link>")?.title == shown)
    }
}
