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
        } catch { return error.kind }
    }

    @Test(arguments: SampleText.all("completeness"))
    func aDocumentIsAFeedOnlyIfItHasTheRootOfOneAndItsEnd(_ document: SampleText) {
        #expect(Self.kind(document.text) == document.expected.flatMap { ParsingError.Kind(rawValue: $0) })
    }

    @Test func theItemsBeforeTheCutAreEnoughIfTheConfigurationSaysSo() {
        let cut = "<rss version='2.0'><channel><title>T</title>\(Self.item)<item><title>Tw"
        #expect(Self.kind(cut, options: ["incomplete": "allowed"]) == nil)
        #expect(Self.kind("<rss><channel>", options: ["incomplete": "allowed"]) == .incomplete)
        #expect(Self.kind(cut, options: ["incomplete": "yes"]) == .wrongFormat)
    }

    @Test func aFeedThatIsCutOffSaysSo() throws {
        func feed(_ text: String) throws -> ParsedFeed {
            try SourceParser.parseFeed(FeedSamples.body(Data(text.utf8)))
        }
        #expect(try !feed("<rss><channel>\(Self.item)").isComplete)
        #expect(try feed("<rss><channel>\(Self.item)</channel></rss>").isComplete)
    }
}
