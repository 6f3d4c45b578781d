// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing

/// A format of feeds with one item: places for elements of the feed before and after the item, and for those of the item.
struct FeedFormat: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let start: String
    let itemStart: String
    let itemEnd: String
    let end: String
    /// The id that the format itself gives to the item.
    var itemID: String?
    /// A Boolean value that indicates whether elements of the feed may follow the item.
    var hasEnd = true

    private static let namespaces = [
        "dc": "http://purl.org/dc/elements/1.1/", "dc0": "http://purl.org/dc/elements/1.0/",
        "dcterms": "http://purl.org/dc/terms/", "content": "http://purl.org/rss/1.0/modules/content/",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "googleplay": "http://www.google.com/schemas/play-podcasts/1.0", "media": "http://search.yahoo.com/mrss/",
        "a": "http://www.w3.org/2005/Atom", "a3": "http://purl.org/atom/ns#", "xhtml": "http://www.w3.org/1999/xhtml",
        "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
        "sy": "http://purl.org/rss/1.0/modules/syndication/", "foaf": "http://xmlns.com/foaf/0.1/",
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "u": "urn:unknown",
    ]
    .sorted { $0.key < $1.key }.map { "xmlns:\($0)='\($1)'" }.joined(separator: " ")

    /// Returns a format whose items are in the channel.
    private static func rss(
        _ name: String,
        version: String,
        prologue: String = "",
        namespace: String = ""
    ) -> FeedFormat {
        FeedFormat(
            testDescription: name,
            start: "\(prologue)<rss version='\(version)' \(namespace) \(namespaces)><channel>",
            itemStart: "<item>",
            itemEnd: "</item>",
            end: "</channel></rss>"
        )
    }

    /// Returns a format whose items are beside the channel.
    private static func rdf(
        _ name: String,
        _ namespace: String,
        about: String = "",
        itemID: String? = nil
    ) -> FeedFormat {
        FeedFormat(
            testDescription: name,
            start: "<rdf:RDF xmlns='\(namespace)' \(namespaces)><channel \(about)>",
            itemStart: "</channel><item\(itemID.map { " rdf:about='\($0)'" } ?? "")>",
            itemEnd: "</item>",
            end: "</rdf:RDF>",
            itemID: itemID,
            hasEnd: false
        )
    }

    private static func atom(_ name: String, root: String, _ attributes: String) -> FeedFormat {
        FeedFormat(
            testDescription: name,
            start: "<\(root)feed \(attributes) \(namespaces)>",
            itemStart: "<\(root)entry>",
            itemEnd: "</\(root)entry>",
            end: "</\(root)feed>"
        )
    }

    static let all = [
        rss("RSS 0.91", version: "0.91"),
        rss(
            "RSS 0.91 of Netscape",
            version: "0.91",
            prologue: "<!DOCTYPE rss PUBLIC '-//Netscape Communications//DTD RSS 0.91//EN' "
                + "'http://my.netscape.com/publish/formats/rss-0.91.dtd'>"
        ),
        rss("RSS 0.92", version: "0.92"), rss("RSS 0.93", version: "0.93"), rss("RSS 0.94", version: "0.94"),
        rss("RSS 2.0", version: "2.0"),
        rss("RSS 2.0 with a namespace", version: "2.0", namespace: "xmlns='http://backend.userland.com/rss2'"),
        rdf("RSS 1.0", "http://purl.org/rss/1.0/", about: "rdf:about='https://a.example/'", itemID: "urn:item"),
        rdf("RSS 0.90", "http://my.netscape.com/rdf/simple/0.9/"),
        FeedFormat(
            testDescription: "RSS 1.1",
            start: "<Channel xmlns='http://purl.org/net/rss1.1#' rdf:about='https://a.example/' \(namespaces)>",
            itemStart: "<items rdf:parseType='Collection'><item rdf:about='urn:item'>",
            itemEnd: "</item></items>",
            end: "</Channel>",
            itemID: "urn:item"
        ),
        atom("Atom 0.3", root: "", "version='0.3' xmlns='http://purl.org/atom/ns#'"),
        atom("Atom 1.0", root: "", "xmlns='http://www.w3.org/2005/Atom'"),
        atom("Atom 1.0 with a prefix", root: "a:", ""),
        atom("Atom without a namespace", root: "", ""),
    ]

    func feed(_ head: String = "", item: String, behind: String = "") throws -> ParsedFeed {
        try SourceParser.parseFeed(
            Data((start + head + itemStart + item + itemEnd + behind + end).utf8),
            contentType: nil,
            documentURL: FeedSamples.documentURL
        )
    }
}
