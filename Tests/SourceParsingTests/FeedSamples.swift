// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import SourceParsing

/// A text of a fixture, and what it stands for; nil if for nothing.
struct SampleText: Sendable, CustomTestStringConvertible {
    var text: String
    var expected: String?

    var testDescription: String { text }

    /// Returns the texts of one group of a file, or of all groups.
    static func all(_ group: String? = nil, in file: String = "texts.json") -> [SampleText] {
        let groups: [String: [String: String?]] = FeedSamples.json(file) ?? [:]
        return groups.filter { group == nil || $0.key == group }.values
            .flatMap { $0.map { SampleText(text: $0.key, expected: $0.value) } }.sorted { $0.text < $1.text }
    }
}

/// The sample documents of the tests of feeds, and the functions that parse them.
enum FeedSamples {
    static let documentURL = "https://origin.example/feeds/main.xml"

    static func fixture(_ name: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Fixtures/" + name))
    }

    /// Returns the value of a JSON file; nil if it is not what the tests expect.
    static func json<Value: Decodable>(_ name: String) -> Value? {
        (try? fixture(name)).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    static func body(_ bytes: Data, contentType: String? = nil) -> SourceBody {
        SourceBody(bytes, contentType: contentType, documentURL: documentURL)
    }

    static func parse(_ bytes: Data, contentType: String? = nil) throws(ParsingError) -> FeedContent {
        let content = try SourceParser.parse(
            body(bytes, contentType: contentType),
            parsing: Parsing(kind: .feed),
            // A debug build on a busy machine takes longer than a document may take in production.
            work: ParsingWork(processorTime: .seconds(60))
        )
        guard case .feed(let feed) = content else {
            throw ParsingError(.wrongFormat, "\(content) is not a feed")
        }
        return feed
    }

    /// Returns the body of an answer without a content type.
    static func body(_ text: String, received: Instant? = nil) -> SourceBody {
        SourceBody(Data(text.utf8), contentType: nil, documentURL: documentURL, received: received)
    }

    /// Parses a document of any feed format with its title.
    static func parseFeed(_ text: String) throws -> ParsedFeed {
        try SourceParser.parseFeed(body(Data(text.utf8)))
    }

    static func parse(_ text: String, contentType: String? = nil) throws(ParsingError) -> FeedContent {
        try parse(Data(text.utf8), contentType: contentType)
    }

    /// Returns an RSS document with these elements in its channel.
    static func rss(_ channel: String) -> String {
        "<?xml version='1.0'?><rss version='2.0'><channel><title>T</title>\(channel)</channel></rss>"
    }

    /// Returns an Atom document with these elements in its feed.
    static func atom(_ feed: String) -> String {
        "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>\(feed)</feed>"
    }

    static func item(_ elements: String) throws -> FeedItem? { try parse(rss("<item>\(elements)</item>")).items.first }
}
