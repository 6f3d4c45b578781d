// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import WidgetSchema

/// The sample documents of the tests of feeds, and the functions that parse them.
enum FeedSamples {
    static let documentURL = "https://origin.example/feeds/main.xml"

    static func fixture(_ name: String) throws -> Data {
        try Data(contentsOf: Bundle.module.bundleURL.appendingPathComponent("Fixtures/" + name))
    }

    static func parse(_ bytes: Data, contentType: String? = nil) throws(ParsingError) -> FeedContent {
        let content = try SourceParser.parse(
            SourceBody(bytes, contentType: contentType, documentURL: documentURL),
            parsing: Parsing(kind: .feed),
            // A debug build on a busy machine takes longer than a document may take in production.
            work: ParsingWork(processorTime: .seconds(60))
        )
        guard case .feed(let feed) = content else {
            throw ParsingError(kind: .wrongFormat, message: "\(content) is not a feed", documentURL: documentURL)
        }
        return feed
    }

    static func parse(_ text: String, contentType: String? = nil) throws(ParsingError) -> FeedContent {
        try parse(Data(text.utf8), contentType: contentType)
    }

    /// Returns an RSS document with these elements in its channel.
    static func rss(_ channel: String) -> String {
        "<?xml version='1.0'?><rss version='2.0'><channel><title>T</title>\(channel)</channel></rss>"
    }

    static func item(_ elements: String) throws -> FeedItem? { try parse(rss("<item>\(elements)</item>")).items.first }
}
