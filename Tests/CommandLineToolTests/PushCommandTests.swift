// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@testable import CommandLineTool

/// Tests of how `tidings push` reads a document.
@Suite struct PushCommandTests {
    private func document(_ text: String) -> Document { Document(bytes: Data(text.utf8), name: "c.json") }

    private func pushed(_ text: String, kind: WidgetKind? = nil, configured: Parsing? = nil) throws -> PushedDocument {
        let document = document(text)
        let parsing = try #require(PushCommand.parsing(of: document, kind: kind, configured: configured))
        return try PushCommand.read(document, parsing)
    }

    @Test func everyKindIsReadByWhatItSaysThatItIs() throws {
        let quote = Content.quote(QuoteContent(quotes: [Quote(text: "Words", author: "Ada")]))
        #expect(try pushed(#"{"kind":"quote","quote":{"quotes":[{"text":"Words","author":"Ada"}]}}"#).content == quote)
        #expect(try pushed(#"[{"content":"Words","author":"Ada"}]"#, kind: .quote).content == quote)
        let facts = Content.keyValue(KeyValueContent(pairs: [KeyValuePair(key: "a", value: "1")]))
        let own = #"{"kind":"keyValue","keyValue":{"pairs":[{"key":"a","value":"1"}]}}"#
        #expect(try pushed(own).content == facts)
        #expect(try pushed(#"{"a":1}"#, kind: .keyValue).content == facts)
        #expect(try pushed(#"{"days":[{"date":"2026-11-21","low":1}]}"#, kind: .forecast).content.count == 1)
        #expect(try pushed(#"{"kind":"json","json":{"rows":[{"id":"1","title":{"text":"A"}}]}}"#).content.kind == .json)
        #expect(try pushed(#"[{"id":"1","title":"A","link":"app://1"}]"#, kind: .documents).content.count == 1)
        #expect(try pushed(#"[{"title":"A"}]"#, kind: .feed).content.kind == .feed)
    }

    @Test func theConfiguredWidgetSaysHowADocumentIsRead() throws {
        let rows = Parsing(kind: .json, options: ["list": "/builds", "title": "/name"])
        #expect(try pushed(#"{"builds":[{"name":"One"}]}"#, configured: rows).content.count == 1)
        #expect(try pushed(#"{"builds":[{"name":"One"}]}"#, kind: .json, configured: rows).content.count == 1)
        // An explicit kind counts more, and has no use for the options of another one.
        let facts = PushCommand.parsing(of: document("{}"), kind: .keyValue, configured: rows)
        #expect(facts == Parsing(kind: .keyValue))
        #expect(PushCommand.parsing(of: document("{}"), kind: nil, configured: nil) == nil)
    }

    @Test(arguments: [
        (
            #"{"kind":"documents","documents":{"documents":[{"id":"1","title":"A","link":"file:///x"}]}}"#,
            "c.json:1:76: /documents/documents/0/link: the link is invalid; write an http or https address"
        ),
        (#"{"kind":"quote"}"#, "c.json:1:1: the object is not a quote"),
        (
            #"{"kind":"forecast","forecast":{"days":[{"date":7}]}}"#,
            "c.json:1:48: /forecast/days/0/date: the value is a number"
        ),
        (#"{"kind":"feed","titel":"A"}"#, "c.json:1:16: titel: unknown; there are kind, feed"),
    ])
    func faultsOfEveryKindHavePlaces(_ text: String, _ message: String) {
        let failure = #expect(throws: CommandFailure.self) { try pushed(text) }
        #expect("\(failure.map { "\($0)" } ?? "")".contains(message), "\(String(describing: failure))")
    }
}
