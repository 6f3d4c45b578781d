// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct RDFTests {
    private static func document(_ namespace: String, _ elements: String) -> String {
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:dc='http://purl.org/dc/elements/1.1/'"
            + " xmlns='\(namespace)'>\(elements)</rdf:RDF>"
    }

    @Test(arguments: ["http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"])
    func itemsBesideTheChannelAreRead(namespace: String) throws {
        let feed = try FeedSamples.parse(
            Self.document(
                namespace,
                """
                <channel rdf:about="https://rdf.example/feed"><title>Tides</title><link>https://rdf.example/</link>
                <dc:creator>Ines Falk</dc:creator><items><rdf:Seq><rdf:li resource="x"/></rdf:Seq></items></channel>
                <image><title>Logo</title><link>https://logo.example/</link></image>
                <item rdf:about="https://rdf.example/#1"><title>Low &amp;amp; high</title><link>one</link>
                <dc:date>2026-11-21T08:30+01:00</dc:date></item>
                <item><title>Second</title><dc:creator>Ole</dc:creator></item>
                """
            )
        )
        #expect(feed.title == "Tides")
        #expect(feed.link == "https://rdf.example/")
        #expect(feed.items.map(\.title) == ["Low & high", "Second"])
        #expect(feed.items.map(\.author) == ["Ines Falk", "Ole"])
        #expect(feed.items.first?.id == "https://rdf.example/#1")
        #expect(feed.items.first?.link == "https://rdf.example/one")
        #expect(feed.items.first?.published == Instant("2026-11-21T07:30:00Z"))
    }
}
