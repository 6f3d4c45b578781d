// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Elements of other vocabularies mean the same in every format and at every place.
@Suite struct DialectTests {
    @Test(arguments: FeedFormat.all, FeedElement.ofItems) func anElementOfAnItemMeansTheSameInEveryFormat(
        format: FeedFormat,
        element: FeedElement
    ) throws {
        let feed = try format.feed("<title>Feed</title>", item: element.text)
        let item = try #require(feed.items.first)
        #expect(element.found(in: item)?.hasPrefix(element.value) == true, "\(element.found(in: item) ?? "none")")
        #expect(feed.items.count == 1)
        #expect(feed.title?.plain() == "Feed")
    }

    @Test(arguments: FeedFormat.all, ["dc:identifier", "dc0:identifier", "dcterms:identifier", "a:id", "a3:id"])
    func anIdOfAnotherVocabularyCountsIfTheFormatHasNone(format: FeedFormat, name: String) throws {
        let feed = try format.feed("<title>Feed</title>", item: "<\(name)>urn:x</\(name)><title>I</title>")
        #expect(feed.items.first?.id == format.itemID ?? "urn:x")
    }

    @Test(arguments: FeedFormat.all, FeedElement.ofFeeds) func anElementOfAFeedMeansTheSameInEveryFormat(
        format: FeedFormat,
        element: FeedElement
    ) throws {
        let feed = try format.feed(element.text, item: "<title>I</title>")
        #expect(element.found(in: feed) == element.value)
        #expect(feed.items.map { $0.title?.plain() } == ["I"])
        guard format.hasEnd else { return }
        let behind = try format.feed(item: "<title>I</title>", behind: element.text)
        #expect(element.found(in: behind) == element.value, "after the item")
        #expect(behind.items.map { $0.title?.plain() } == ["I"])
    }

    @Test(arguments: FeedFormat.all, FeedElement.foreign) func theTitlesLinksAndNamesOfOthersAreNotTheItems(
        format: FeedFormat,
        foreign: String
    ) throws {
        let own = "<title>I</title><a:link href='https://a.example/1'/>"
        for (head, item) in [(foreign, own), ("", foreign + own), ("", own + foreign)] {
            let feed = try format.feed(head + "<title>F</title><a:link href='https://a.example/'/>", item: item)
            let found = try #require(feed.items.first)
            #expect(feed.title?.plain() == "F")
            #expect(feed.link == "https://a.example/")
            #expect(feed.subtitle == nil)
            #expect(found.title?.plain() == "I")
            #expect(found.link == "https://a.example/1")
            #expect(found.author == nil)
            #expect(found.summary == nil && found.content == nil)
        }
    }

    @Test(arguments: [
        ("<entry><author><name>Ann</name></author><source><author><name>Bob</name></author></source>", "Ann"),
        ("<entry><source><title>S</title><author><name>Bob</name></author></source>", "Bob"),
        ("<entry><source><author><name>Bob</name></author><id>s</id></source><author><name>Ann</name></author>", "Ann"),
        ("<entry><source><title>S</title></source>", "Eve"),
    ])
    func anEntryThatWasCopiedHasTheAuthorOfItsSource(entry: String, author: String) throws {
        let entries = "<author><name>Eve</name></author>\(entry)<id>1</id><title>x</title></entry>"
        let feed = try FeedSamples.parse(FeedSamples.atom(entries))
        #expect(feed.items.first?.author == author)
        #expect(feed.items.map(\.title) == ["x"])
    }

    // Many feeds misspell the namespaces of modules, or do not declare them.
    @Test(arguments: ["", "xmlns:dc='http://purl.org/dc/'", "xmlns:dc='dc'"]) func aWellKnownPrefixStandsForItsModule(
        declaration: String
    ) throws {
        let item = "<item><title>x</title><dc:creator>Ann</dc:creator></item>"
        let feed = try FeedSamples.parse("<rss \(declaration)><channel><title>T</title>\(item)</channel></rss>")
        #expect(feed.items.first?.author == "Ann")
    }

    @Test func aPictureInBase64IsNoText() throws {
        let item = "<entry><id>1</id><title>x</title><content type='image/png'>iVBORw0KGgo=</content></entry>"
        let feed = try FeedSamples.parse(FeedSamples.atom(item))
        #expect(feed.items.first?.summary == nil)
    }

    @Test(arguments: FeedFormat.all) func whatStandsInAnUnknownElementIsNoItem(format: FeedFormat) throws {
        for name in ["item", "entry"] {
            let inner = "<x:list xmlns:x='urn:x'><\(name)><title>No</title></\(name)></x:list>"
            let feed = try format.feed(inner, item: "<title>Yes</title>" + inner)
            #expect(feed.items.map { $0.title?.plain() } == ["Yes"])
        }
    }

    @Test func anUnknownElementWithoutItsEndSwallowsNoItem() throws {
        let items = "<x:list><item><title>One</title></item><item><title>Two</title></item>"
        let feed = try FeedSamples.parse(FeedSamples.rss(items))
        #expect(feed.items.map(\.title) == ["One", "Two"])
    }

    @Test(arguments: FeedFormat.all) func relativeLinksFollowTheBasesAroundThem(format: FeedFormat) throws {
        for (link, address) in [
            ("xml:base='https://b.example/dir/' href='1'", "https://b.example/dir/1"),
            ("href='/2'", "https://site.example/2"),
        ] {
            let site = "<a:link href='https://site.example/'/>"
            let feed = try format.feed(site, item: "<title>x</title><a:link \(link)/>")
            #expect(feed.items.first?.link == address)
        }
    }

    @Test(arguments: SampleText.all("authors"))
    func anAuthorIsShownByName(_ author: SampleText) throws {
        #expect(try FeedSamples.item("<title>x</title><author>\(author.text)</author>")?.author == author.expected)
        let entry = "<entry><id>1</id><title>x</title><author><name>\(author.text)</name></author></entry>"
        #expect(try FeedSamples.parse(FeedSamples.atom(entry)).items.first?.author == author.expected)
    }

    @Test func aNameIsPreferredToAMailAddress() throws {
        let author = "<author>ann@a.example</author>"
        let creator = "<dc:creator>Ann Lee</dc:creator>"
        for elements in [author + creator, creator + author] {
            #expect(try FeedSamples.item("<title>x</title>" + elements)?.author == "Ann Lee")
        }
    }

    @Test func aRecordingIsPreferredToThePictureOfItsCover() throws {
        let picture = "<enclosure url='https://a.example/cover.jpg' type='image/jpeg'/>"
        let recording = "<enclosure url='https://a.example/1.mp3' type='audio/mpeg'/>"
        for elements in [picture + recording, recording + picture] {
            #expect(try FeedSamples.item("<title>x</title>" + elements)?.link == "https://a.example/1.mp3")
        }
        #expect(try FeedSamples.item("<title>x</title>" + picture)?.link == "https://a.example/cover.jpg")
        for picture in [
            "<enclosure url='https://a.example/cover.PNG?size=1'/>",
            "<media:content medium='image' url='https://a.example/cover'/>",
        ] { #expect(try FeedSamples.item("<title>x</title>" + picture + recording)?.link == "https://a.example/1.mp3") }
    }

    @Test func anItemWithoutAnyContentIsLeftOut() throws {
        let items =
            "<item></item><item><guid isPermaLink='false'>7</guid></item><item><pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate></item>"
        let feed = try FeedSamples.parse(FeedSamples.rss(items + "<item><title>x</title></item>"))
        #expect(feed.items.map(\.title) == ["x"])
    }

    @Test(arguments: [
        "Fri, 12/04/2020 - 14:05",
        #"&lt;time datetime="2020-12-04T14:05:00+00:00"&gt;Fri, 12/04/2020 - 14:05&lt;/time&gt;"#,
        "<time datetime='2020-12-04T14:05:00Z'>Fri, 12/04/2020 - 14:05</time>", "12/04/2020 - 14:05",
    ])
    func datesOfDrupalAreRead(date: String) throws {
        let item = try #require(try FeedSamples.item("<title>x</title><pubDate>\(date)</pubDate>"))
        #expect(item.published == Instant(milliseconds: 1_607_090_700_000))
    }
}
