// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct VisibilityTests {
    private static let documents: [(kind: WidgetKind, members: String)] = [
        (.keyValue, #""city": "Lisbon""#), (.quote, #""quotes": [{"text": "Words"}]"#),
        (.documents, #""documents": [{"title": "Budget"}]"#),
        (.forecast, #""days": [{"date": "2026-11-22", "condition": "clear"}]"#),
        (.feed, #""version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": "A"}]"#),
    ]

    @Test(arguments: documents.indices, ["true", "false"]) func aDocumentOfEachKindCanHideItsWidget(
        index: Int,
        flag: String
    ) throws {
        let (kind, members) = Self.documents[index]
        let hidden = try KindSamples.parse(#"{\#(members), "_tidings": {"hasContent": \#(flag)}}"#, kind)
        let plain = try KindSamples.parse("{\(members)}", kind)
        #expect(hidden.hasContent == (flag == "true"))
        #expect(plain.hasContent == nil)
        #expect(hidden.count == plain.count && plain.count == 1)
    }

    @Test func aListDescribedByPointersCanHideItsWidget() throws {
        let options = ["list": "/items", "title": "/name"]
        let text = #"{"items": [{"name": "A"}], "_tidings": {"hasContent": false}}"#
        #expect(try KindSamples.parse(text, .json, options: options).hasContent == false)
    }

    @Test func theOwnFormSaysItBesideItsList() throws {
        let text = #"{"kind": "quote", "quote": {"quotes": [{"text": "Words"}], "hasContent": false}}"#
        #expect(try KindSamples.parse(text, .quote).hasContent == false)
    }

    @Test func anythingButABooleanIsRefusedWithItsPlace() {
        let fault = KindSamples.fault(#"{"city": "Lisbon", "_tidings": {"hasContent": "no"}}"#, .keyValue)
        #expect(fault?.message == "/_tidings/hasContent: the value is a string; true or false was expected")
    }
}
