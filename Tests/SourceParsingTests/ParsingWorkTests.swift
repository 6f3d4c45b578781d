// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import TestSupport
import Testing
import WidgetSchema

/// Tests of the parser's work, which grows with a document's bytes and with nothing else.
@Suite struct ParsingWorkTests {
    private static func rss(_ channel: String) -> String {
        "<?xml version='1.0'?><rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' "
            + "xmlns:atom='http://www.w3.org/2005/Atom' xmlns:media='http://search.yahoo.com/mrss/'>"
            + "<channel><title>T</title>\(channel)</channel></rss>"
    }

    private static func steps(_ document: String, _ kind: WidgetKind = .feed) -> Int {
        let work = ParsingWork(processorTime: .seconds(600))
        _ = try? SourceParser.read(FeedSamples.body(document), parsing: Parsing(kind: kind), work: work)
        return work.steps
    }

    /// The elements that a feed may repeat; `#` becomes another number each time.
    private static let elements = [
        "<dc:creator>n#</dc:creator>", "<author>n#</author>", "<atom:author><atom:name>n#</atom:name></atom:author>",
        "<category>c#</category>", "<link>https://a.example/#</link>", "<atom:link href='https://a.example/#'/>",
        "<enclosure url='https://a.example/#'/>", "<guid>#</guid>", "<pubDate>Sun, 06 Nov 1994 08:49:37 GMT</pubDate>",
        "<description>d#</description>", "<title>t#</title>", "<media:content url='https://a.example/#'/>",
        "<media:group>", "</p#>", "<p#>", "<p:n# xmlns:p='urn:#'/>", "<a xml:base='b#/'>", "<a b#='c'>", "&#;",
        "<![CDATA[x#]]>", "<!--#-->", "<?p #?>", #"<p# q=""#, "<p# q='", "]]>", "<ttl>#</ttl>", "<hour>#</hour>",
    ]

    private static let count = TestExtent.of(1500, nightly: 4000)

    @Test(arguments: elements) func twiceAsManyElementsTakeAtMostTwiceTheSteps(element: String) {
        func many(_ count: Int) -> String { (0..<count).map { element.replacing("#", with: String($0)) }.joined() }
        for wrap: (String) -> String in [
            { Self.rss($0) }, { Self.rss("<item><title>x</title>\($0)</item>") },
            { "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><entry><id>1</id>\($0)</entry></feed>" },
        ] {
            let (less, more) = (many(Self.count), many(2 * Self.count))
            let (once, twice) = (Self.steps(wrap(less)), Self.steps(wrap(more)))
            // Numbers have more digits, too.
            #expect(Double(twice) < 2.3 * Double(once), "\(once) and \(twice) steps")
            let bytes = wrap(more).utf8.count
            #expect(twice < 24 * bytes, "\(twice) steps for \(bytes) bytes")
        }
    }

    @Test(arguments: ["<entry ", "<![CDATA ", "<![CDATA[", "<content><entry>", "<entry/>", "</entry>"])
    func theSearchForTheEndOfAnEntryTakesStepsInProportion(piece: String) {
        func document(_ count: Int) -> String {
            let entries = String(repeating: "<entry><content><entry></content></entry>", count: count / 8)
            let rest = String(repeating: piece, count: count) + String(repeating: "x", count: 100 * count)
            return "<feed xmlns='http://www.w3.org/2005/Atom'>\(entries)<entry><content><entry>\(rest)"
        }
        let text = document(2000)
        let steps = Self.steps(text)
        #expect(steps < 24 * text.utf8.count, "\(steps) steps for \(text.utf8.count) bytes")
    }

    @Test(arguments: [
        ("{\"id\":\"#\",\"title\":\"x\"},", WidgetKind.feed), (#"{"name":"n#"},"#, .feed), ("[", .feed),
        (#"{"a":"#, .keyValue), ("[#],", .keyValue), ("{\"id\":\"#\",\"title\":\"x\"},", .documents),
    ])
    func twiceAsManyValuesTakeAtMostTwiceTheSteps(value: String, kind: WidgetKind) {
        func document(_ count: Int) -> String {
            let values = (0..<count).map { value.replacing("#", with: String($0)) }.joined()
            let feed =
                #"{"version":"https://jsonfeed.org/version/1.1","authors":[\#(values)null],"items":[\#(values)null]}"#
            return kind == .feed ? feed : "[\(values)null]"
        }
        let (once, twice) = (Self.steps(document(4000), kind), Self.steps(document(8000), kind))
        #expect(Double(twice) < 2.3 * Double(once), "\(once) and \(twice) steps")
    }

    @Test func ascendingDatesTakeTimeInProportion() throws {
        let start = try #require(Instant("2026-11-21T12:00:00Z"))
        func steps(_ days: some Sequence<Int64>) -> Int {
            let items = days.map { day in
                let date = start.advanced(byMilliseconds: (day - 10_000) * 86_400_000)
                return "<item><title>\(day)</title><dc:date>\(date)</dc:date></item>"
            }
            let body = FeedSamples.body(Self.rss(items.joined()), received: start)
            let work = ParsingWork(processorTime: .seconds(600))
            _ = try? SourceParser.read(body, parsing: Parsing(kind: .feed), work: work)
            return work.steps
        }
        let count = Int64(1500)
        let (once, twice) = (steps(0..<count), steps(0..<(2 * count)))
        #expect(Double(twice) < 2.3 * Double(once), "\(once) and \(twice) steps")
        // Each item is compared with those that are kept.
        #expect(once > steps((0..<count).reversed()) + 50 * Int(count))
    }

    @Test func ofHundredsOfThousandsOfAuthorsAFewAreKept() throws {
        let authors = (0..<350_000).map { "<dc:creator>name \($0)</dc:creator>" }.joined()
        let feed = try FeedSamples.parse(Self.rss("<item><title>x</title>\(authors)</item>"))
        let author = try #require(feed.items.first?.author)
        #expect(author.hasPrefix("name 0, name 1, "))
        #expect(author.count <= 500)
    }

    @Test func theAuthorsOfAFeedDoNotMultiplyWithItsItems() throws {
        let authors = (0..<50_000).map { "<author><name>name \($0)</name></author>" }.joined()
        let entries = (0..<1000).map { "<entry><id>\($0)</id><title>x</title></entry>" }.joined()
        let feed = try SourceParser.parseFeed(
            FeedSamples.body(
                Data("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>\(authors)\(entries)</feed>".utf8)
            )
        )
        #expect(feed.items.count == 1000)
        #expect(feed.items.allSatisfy { ($0.author?.count ?? 0) <= 500 })
    }

    @Test func aDocumentWhoseProcessorTimeIsUsedUpIsRefusedAsTooComplex() {
        let items = String(repeating: "<item><title>x</title></item>", count: 20_000)
        let rows = "[" + String(repeating: #"{"title":"x"},"#, count: 20_000) + "{}]"
        for (document, kind) in [(Self.rss(items), WidgetKind.feed), (rows, .keyValue), (rows, .documents)] {
            let work = ParsingWork(processorTime: .zero)
            let error = #expect(throws: ParsingError.self) {
                try SourceParser.parse(FeedSamples.body(document), parsing: Parsing(kind: kind), work: work)
            }
            #expect(error?.kind == .tooComplex)
            #expect(error?.message.contains("processor time") == true)
            #expect(work.isExhausted)
        }
    }

    @Test func aListOfSubscriptionsNamesTheOutermostGroupsOnly() throws {
        let depth = 1000
        let list = try SourceParser.parseFeedList(
            Array(
                ("<opml version='2.0'><body>" + (0..<depth).map { "<outline text='g\($0)'>" }.joined()
                    + String(repeating: "<outline xmlUrl='https://a.example/feed'/>", count: 100)
                    + String(repeating: "</outline>", count: depth) + "</body></opml>").utf8
            )
        )
        #expect(list.entries.count == 100)
        #expect(list.entries.first?.groups == (0..<16).map { "g\($0)" })
    }
}
