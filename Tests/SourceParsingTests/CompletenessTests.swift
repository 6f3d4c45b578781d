// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Tests of documents that must not replace a feed.
@Suite struct CompletenessTests {
    private static let item = "<item><title>One</title></item>"

    private static func kind(_ document: String, options: [String: String] = [:]) -> ParsingError.Kind? {
        do throws(ParsingError) {
            _ = try SourceParser.parse(
                SourceBody(Data(document.utf8), contentType: nil, documentURL: FeedSamples.documentURL),
                parsing: Parsing(kind: .feed, options: options)
            )
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(arguments: [
        "<rss version='2.0'><channel><title>T</title>", "<rss version='2.0'><channel><title>T</title></channel>",
        "<rss version='2.0'><channel><title>T</title>\(item)",
        "<rss version='2.0'><channel><title>T</title>\(item)</chan",
        "<rss version='2.0'><channel><title>T</title>\(item)</channel></rs", "error generating <rss> feed",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><entry><id>1</id><title>x</title></entry>",
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
            + "<channel><title>T</title></channel>",
        "{\"version\": \"https://jsonfeed.org/version/1.1\", \"title\": \"T\", \"items\": [",
        "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\"id\": \"1\", \"title\": \"One\"}",
        "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": [{\"id\": \"1\", \"title\": \"One\"}]",
    ])
    func aDocumentThatEndsBeforeItsRootIsIncomplete(document: String) { #expect(Self.kind(document) == .incomplete) }

    @Test(arguments: [
        "<feed xmlns='https://shop.example/products'><product/></feed>", "<rss></rss>", "error <rss></rss> in feed",
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about=''/></rdf:RDF>",
        "<svg xmlns='http://www.w3.org/2000/svg'><metadata><rdf:RDF "
            + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><x/></rdf:RDF></metadata></svg>",
        "PNG<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
            + "<rdf:Description/></rdf:RDF></x:xmpmeta>",
        "<feed xmlns='http://www.w3.org/2005/Atom'></feed>",
    ])
    func aForeignDocumentWithTheRootOfAFeedIsNone(document: String) { #expect(Self.kind(document) == .wrongFormat) }

    @Test(arguments: [
        "<rss version='2.0'><channel><title>T</title></channel></rss>",
        "<rss version='2.0'><channel></channel></rss>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><id>x</id></feed>",
        "<rss version='2.0'><channel><title>T</title>\(item)</channel></rss> <!-- cached -->",
        "<rss version='2.0'><channel><title>T<p></title>\(item)</rss>", "<RSS><channel>\(item)</channel></rss>",
        "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": []}",
    ])
    func aCompleteFeedIsOneAlsoIfItIsEmptyOrSloppy(document: String) { #expect(Self.kind(document) == nil) }

    @Test func theItemsBeforeTheCutAreEnoughIfTheConfigurationSaysSo() {
        let cut = "<rss version='2.0'><channel><title>T</title>\(Self.item)<item><title>Tw"
        #expect(Self.kind(cut, options: ["incomplete": "allowed"]) == nil)
        #expect(Self.kind("<rss><channel>", options: ["incomplete": "allowed"]) == .incomplete)
        #expect(Self.kind(cut, options: ["incomplete": "yes"]) == .wrongFormat)
    }

    @Test func aFeedThatIsCutOffSaysSo() throws {
        func feed(_ text: String) throws -> ParsedFeed {
            try SourceParser.parseFeed(Data(text.utf8), contentType: nil, documentURL: FeedSamples.documentURL)
        }
        #expect(try !feed("<rss><channel>\(Self.item)").isComplete)
        #expect(try feed("<rss><channel>\(Self.item)</channel></rss>").isComplete)
    }
}
