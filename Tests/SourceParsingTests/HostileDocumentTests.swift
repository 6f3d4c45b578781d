// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Tests of hostile documents: the parser returns content or an error within a short time.
@Suite(.timeLimit(.minutes(3))) struct HostileDocumentTests {
    private static func outcome(_ bytes: Data, contentType: String? = nil) -> Result<FeedContent, ParsingError> {
        do throws(ParsingError) { return .success(try FeedSamples.parse(bytes, contentType: contentType)) } catch {
            return .failure(error)
        }
    }

    @Test(arguments: ["blog.rss", "blog.atom"]) func aDocumentCutAnywhereGivesCompleteItemsOrAnError(name: String)
        throws
    {
        let bytes = try FeedSamples.fixture(name)
        let whole = try FeedSamples.parse(bytes)
        for count in 0..<bytes.count {
            switch Self.outcome(bytes.prefix(count)) {
            case .success(let feed):
                // Bases and links may still be missing; titles and ids are whole.
                #expect(feed.items.map(\.title) == whole.items.prefix(feed.items.count).map(\.title))
            case .failure(let error): #expect([.empty, .wrongFormat, .incomplete].contains(error.kind))
            }
        }
    }

    @Test func anySingleByteMayBeAnother() throws {
        let bytes = try FeedSamples.fixture("blog.rss")
        for index in stride(from: bytes.startIndex, to: bytes.endIndex, by: 7) {
            for byte: UInt8 in [0, UInt8(ascii: "<"), UInt8(ascii: "&"), 0xff] {
                var damaged = bytes
                damaged[index] = byte
                _ = Self.outcome(damaged)
            }
        }
    }

    @Test(arguments: ["", " \n\t", "\u{0}\u{0}", "\u{FEFF}"]) func nothingIsNoFeed(text: String) {
        let error = #expect(throws: ParsingError.self) { try FeedSamples.parse(text) }
        #expect(error?.kind == .empty)
    }

    @Test(arguments: [
        "garbage", #"{"version": 1}"#, "\u{1}\u{2}<", "%PDF-1.4", "&&&&", "<", "<?xml version='1.0'?>", "<!DOCTYPE",
    ])
    func garbageIsNoFeed(text: String) {
        let error = #expect(throws: ParsingError.self) { try FeedSamples.parse(text) }
        #expect(error?.kind == .wrongFormat)
        #expect(error?.message.hasPrefix("the document is not a feed: ") == true)
    }

    @Test func aPageIsNamedAsOne() {
        let page = "<!DOCTYPE html>\n<html><head><title>Log in</title></head></html>"
        let error = #expect(throws: ParsingError.self) { try FeedSamples.parse(page) }
        let message = "the document is not a feed: it is an HTML page; <rss>, <feed> or <rdf:RDF> was expected"
        #expect(error?.message == message)
        #expect(error?.line == 2)
        #expect(error?.text(name: FeedSamples.documentURL).hasPrefix(FeedSamples.documentURL + ":2:") == true)
    }

    @Test func warningsBeforeAFeedArePassedOver() throws {
        let warning = "<br />\n<b>Warning</b>: Division by zero in <b>/feed.php</b> on line <b>3</b><br />\n"
        #expect(try FeedSamples.parse(warning + FeedSamples.rss("<item><title>x</title></item>")).items.count == 1)
        let far = String(repeating: warning, count: 1000)
        #expect(throws: ParsingError.self) { try FeedSamples.parse(far + FeedSamples.rss("")) }
    }

    @Test func endTagsEndWhatWasLeftOpenWithin() throws {
        let items = """
            <item><title>A <b>bold</title><link>https://a.example/1</link></item>
            <item><title>stray</p></title><dc:date>2026-11-21</date><link>https://a.example/2</link></item>
            <item><TITLE>case</title><link>https://a.example/3</LINK></item>
            """
        let feed = try FeedSamples.parse(FeedSamples.rss(items))
        #expect(feed.items.map(\.title) == ["A <b>bold", "stray", "case"])
        #expect(feed.items.map(\.link) == ["https://a.example/1", "https://a.example/2", "https://a.example/3"])
        #expect(feed.items[1].published == Instant("2026-11-21T00:00:00Z"))
    }

    @Test func anotherVocabularyIsNamed() {
        let error = #expect(throws: ParsingError.self) {
            try FeedSamples.parse("<svg xmlns='http://www.w3.org/2000/svg'/>")
        }
        #expect(error?.message.contains("<svg>") == true)
    }

    @Test(arguments: [
        // Ten levels of ten.
        "<!DOCTYPE r [<!ENTITY a0 'lol'>"
            + (1...10).map { "<!ENTITY a\($0) '\(String(repeating: "&a\($0 - 1);", count: 10))'>" }.joined()
            + "]>\(FeedSamples.rss("<item><title>&a10;</title></item>"))",
        // One large entity, many times.
        "<!DOCTYPE r [<!ENTITY a '\(String(repeating: "x", count: 50_000))'>]>"
            + FeedSamples.rss("<item><title>\(String(repeating: "&a;", count: 50_000))</title></item>"),
        // Entities that name each other, and themselves.
        "<!DOCTYPE r [<!ENTITY a '&b;'><!ENTITY b '&a;'><!ENTITY c '&c;'>]>"
            + FeedSamples.rss("<item><title>&a;&c;</title></item>"),
        // Parameter entities.
        "<!DOCTYPE r [<!ENTITY % a 'x'><!ENTITY % b '%a;%a;%a;'><!ENTITY % c '%b;%b;'>%c;%c;]>"
            + FeedSamples.rss("<item><title>t</title></item>"),
        // A file, an external document type, an external parameter entity, a device that never ends.
        "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + FeedSamples.rss("<item><title>&a;</title></item>"),
        "<!DOCTYPE r SYSTEM 'http://127.0.0.1:9/x.dtd'>" + FeedSamples.rss("<item><title>t</title></item>"),
        "<!DOCTYPE r [<!ENTITY % a SYSTEM 'http://127.0.0.1:9/x.dtd'>%a;]>"
            + FeedSamples.rss("<item><title>t</title></item>"),
        "<!DOCTYPE r [<!ENTITY a SYSTEM 'file:///dev/zero'>]>" + FeedSamples.rss("<item><title>&a;</title></item>"),
        // In an attribute, and in a document type that hides a bracket in a comment.
        "<!DOCTYPE r [<!ENTITY a 'https://x.example'>]><feed xmlns='http://www.w3.org/2005/Atom'><entry><title>t</title>"
            + "<link href='\(String(repeating: "&a;", count: 1000))'/></entry></feed>",
        "<!DOCTYPE r [<!-- ]> ' --><!ENTITY a 'y&b;'>]>" + FeedSamples.rss("<item><title>&a;</title></item>"),
    ])
    func entitiesAreNotExpanded(document: String) throws {
        let feed = try FeedSamples.parse(document)
        let item = try #require(feed.items.first)
        #expect(item.title.count <= 501)
        #expect(item.title == "t" || item.title.hasPrefix("&a"))
        #expect(!item.title.contains("root:"))
    }

    @Test func shortTextsOfADocumentTypeArePutInPlaceWithinABudget() throws {
        let type = #"<!DOCTYPE r [<!ENTITY id "tag:a.example,"><!ENTITY id 'no'><!ENTITY b '<i>'>]>"#
        let text = String(repeating: "&id;", count: 20_000)
        let feed = try SourceParser.parseFeed(
            FeedSamples.body(
                Data(
                    (type
                        + FeedSamples.rss(
                            "<item><guid>&id;1</guid><title>&b;</title><description>\(text)</description></item>"
                        )).utf8
                )
            )
        )
        #expect(feed.items.first?.id == "tag:a.example,1")
        #expect(feed.items.first?.title?.plain() == "&b;")
        #expect(feed.items.first?.summary?.text.hasSuffix("&id;") == true)
    }

    @Test func controlsOfTheSecondSetAreWhatTheyAreInWindows() throws {
        #expect(try FeedSamples.item("<title>don\u{92}t <![CDATA[\u{85}]]></title>")?.title == "don’t …")
    }

    @Test func everyByteMayFollowABeginning() {
        for beginning in ["", "<rss>", "<rss><channel><item><title>", #"{"version": "jsonfeed", "items": [{"id": ""#] {
            _ = Self.outcome(Data(beginning.utf8) + Data(UInt8.min...UInt8.max))
        }
    }

    @Test func deepNestingEndsTheReadingAndNothingElse() throws {
        let deep = String(repeating: "<a>", count: 100_000)
        let item = "<item><title>before</title></item>"
        #expect(try FeedSamples.parse(FeedSamples.rss(item + deep)).items.map(\.title) == ["before"])
        let within = "<item><title>before</title></item><item><description>\(deep)</description></item>"
        #expect(try FeedSamples.parse(FeedSamples.rss(within)).items.first?.title == "before")
        #expect(throws: ParsingError.self) { try FeedSamples.parse(deep) }
    }

    @Test func aHugeBaseCostsNeitherTimeNorMemoryForEachLink() throws {
        let entries = (0..<100).map { "<entry><id>/\($0)</id><title>x</title><link href='p\($0)'/></entry>" }.joined()
        func document(base: String) -> String {
            "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='\(base)'><title>T</title>\(entries)</feed>"
        }
        let huge = "https://" + String(repeating: "x", count: 100_000) + ".example/"
        let feed = try FeedSamples.parseFeed(document(base: huge))
        #expect(feed.items.compactMap(\.link) == (0..<100).map { "https://origin.example/feeds/p\($0)" })
        #expect(feed.items.compactMap(\.id) == (0..<100).map { "https://origin.example/\($0)" })
        let far = SourceBody(Data(document(base: "").utf8), contentType: nil, documentURL: huge)
        let unresolved = try SourceParser.parseFeed(far)
        #expect(unresolved.items.compactMap(\.link).isEmpty)
        #expect(unresolved.items.compactMap(\.id) == (0..<100).map { "/\($0)" })
    }

    @Test func attributesBeyondTheLimitArePassedOver() throws {
        let attributes = (0..<100_000).map { " a\($0)='x'" }.joined()
        let item =
            "<item\(attributes) rdf:about='no'><title\(attributes)>x</title><link href='https://a.example/' \(attributes)/></item>"
        #expect(try FeedSamples.parse(FeedSamples.rss(item)).items.map(\.link) == ["https://a.example/"])
    }

    @Test func repetitionsTakeTimeInProportion() {
        for piece in [
            "<", "&", "<a", "<a ", "</a>", "<!--", "<![CDATA[", "<?", "<!", "&#", "<a b='", "]]>", "<item>", "<item/>",
        ] {
            let many = String(repeating: piece, count: 20_000)
            _ = Self.outcome(Data(FeedSamples.rss(many).utf8))
            _ = Self.outcome(Data(FeedSamples.rss("<item><description>" + many).utf8))
        }
    }

    @Test func aTextOfVeryManyPiecesIsReadUpToItsLimit() throws {
        // Each reference is a piece of its own.
        let text = String(repeating: "&amp;", count: 1_200_000)
        let document = FeedSamples.rss("<item><description>\(text)</description></item>")
        // Under a sanitizer, this takes longer than a document may.
        let work = ParsingWork(processorTime: .seconds(600))
        let feed = try SourceParser.parseFeed(FeedSamples.body(Data(document.utf8)), work: work)
        #expect(feed.items.first?.summary?.text.utf8.count == 1 << 20)
    }

    @Test func manyItemsAreReadUpToTheLimit() throws {
        let items = String(repeating: "<item><title>x</title></item>", count: 20_000)
        let feed = try SourceParser.parseFeed(FeedSamples.body(Data(FeedSamples.rss(items).utf8)))
        #expect(feed.items.count == ParsedFeed.maximumItems)
    }

    @Test func controlCharactersAreLeftOut() throws {
        let feed = try FeedSamples.parse(FeedSamples.rss("<item><title>a\u{0}b\u{8}c&#0;&#1;</title></item>"))
        #expect(feed.items.first?.title == "abc")
    }

    @Test func bareAmpersandsAndSignsStandForThemselves() throws {
        let item = try FeedSamples.item(
            "<title>AT&T & R&D; 1 < 2 &hellip;</title><link>https://a.example/?x=1&y=2&copy=3</link>"
        )
        #expect(item?.title == "AT&T & R&D; 1 < 2 …")
        #expect(item?.link == "https://a.example/?x=1&y=2&copy=3")
    }

    @Test func aMissingEndTagDoesNotSwallowTheItemsBehind() throws {
        let items = """
            <item><title>one</title><description><p>text<br>more</description></item>
            <item><title>two</title><category><b></category></item><item><title>three</title></item>
            """
        #expect(try FeedSamples.parse(FeedSamples.rss(items)).items.map(\.title) == ["one", "two", "three"])
    }
}
