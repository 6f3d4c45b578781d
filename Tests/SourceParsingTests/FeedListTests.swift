// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing

/// Subscriptions in OPML, as feed readers export them.
@Suite struct FeedListTests {
    private func list(_ body: String) throws -> FeedList {
        try SourceParser.parseFeedList(Array("<opml version='2.0'>\(body)</opml>".utf8))
    }

    @Test func outlinesWithoutAFeedAreGroups() throws {
        let list = try list(
            """
            <head><title>Mine</title></head><body>
            <outline text="News"><outline text="Local"><outline text="Town" xmlUrl=" http://t.example/f "/></outline>
            <outline title="World" text="ignored" xmlUrl="http://w.example/f"/></outline>
            <outline><outline xmlUrl="http://n.example/f"/></outline>
            </body>
            """
        )
        #expect(list.title == "Mine")
        #expect(list.entries.map(\.title) == ["Town", "World", nil])
        #expect(list.entries.map(\.feedURL) == ["http://t.example/f", "http://w.example/f", "http://n.example/f"])
        #expect(list.entries.map(\.groups) == [["News", "Local"], ["News"], []])
        #expect(list.entries.map(\.line) == [2, 3, 4])
    }

    @Test func namesAreOneLineWithoutMarkup() throws {
        let outline = "<outline text='A &amp;amp; B&#10;&lt;b&gt;C&lt;/b&gt;' XMLURL='http://x.example/'/>"
        let list = try list("<body>\(outline)</body>")
        #expect(list.entries.first?.title == "A & B C")
    }

    @Test(arguments: [
        ("feed:https://a.example/f", "https://a.example/f"), ("feed://a.example/f", "http://a.example/f"),
        ("FEED:http://a.example/f", "http://a.example/f"), ("https://feed:x@a.example/f", "https://feed:x@a.example/f"),
    ])
    func anAddressForFeedReadersIsThatOfTheWeb(written: String, address: String) throws {
        let list = try list("<body><outline text='A' xmlUrl='\(written)'/></body>")
        #expect(list.entries.map(\.feedURL) == [address])
    }

    @Test(arguments: [
        (#"text="The "Best" Blog" xmlUrl="https://a.example/f""#, #"The "Best" Blog"#),
        (#"xmlUrl="https://a.example/f" text="The "Best" Blog""#, #"The "Best" Blog"#),
        (#"text=""Best"" xmlUrl = "https://a.example/f""#, #""Best""#),
        (#"text='It's Ann's' xmlUrl='https://a.example/f'"#, "It's Ann's"),
        (#"text="7" = 18 cm" type="rss" xmlUrl="https://a.example/f""#, #"7" = 18 cm"#),
        (#"text="A"xmlUrl="https://a.example/f""#, "A"),
    ])
    func quotesInANameMayBeUnescaped(attributes: String, title: String) throws {
        let list = try list("<body><outline \(attributes)/><outline \(attributes)></outline></body>")
        #expect(list.entries.map(\.title) == [title, title])
        #expect(list.entries.map(\.feedURL) == ["https://a.example/f", "https://a.example/f"])
    }

    @Test func anyEncodingIsRead() throws {
        let text =
            "<?xml version='1.0' encoding='iso-8859-1'?><opml><body><outline text='Caf\u{e9}' xmlUrl='http://x/'/></body></opml>"
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let read = try SourceParser.parseFeedList(bytes)
        #expect(read.entries.first?.title == "Café")
    }

    @Test(arguments: [
        ("", "s.opml: the document is empty"), ("hello", "not an OPML list"),
        ("<rss>\n</rss>", "not an OPML list: its root element is <rss>"),
        ("<opml>\n<body>\n<outline>\n</body></opml>", "s.opml:4"), ("<opml><body>", "not well-formed"),
    ])
    func whatIsNoListIsToldWithItsLine(_ text: String, _ expected: String) {
        #expect { _ = try SourceParser.parseFeedList(Array(text.utf8)) } throws: {
            (($0 as? ParsingError)?.text(name: "s.opml") ?? "").contains(expected)
        }
    }
}
