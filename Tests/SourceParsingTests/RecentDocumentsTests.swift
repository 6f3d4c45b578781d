// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct RecentDocumentsTests {
    @Test func theLatestComesFirst() throws {
        let documents = try KindSamples.documents(KindSamples.documents)
        #expect(documents.map(\.title) == ["Plan", "Notes", "Old"])
        #expect(documents.map(\.id) == ["2", "1", "Old"])
        #expect(documents.map(\.link) == ["https://example.org/plan", "exampleapp://documents/1", nil])
        #expect(documents.map(\.openedAt) == [Instant("2026-11-21T08:00:00Z"), Instant("2026-11-20T08:00:00Z"), nil])
        #expect(documents.map(\.icon) == [nil, "doc", nil])
    }

    @Test(arguments: [#"{"documents":%@}"#, #"{"kind":"documents","documents":{"documents":%@}}"#])
    func theListMayStandWithinAnObject(form: String) throws {
        let text = form.replacing("%@", with: KindSamples.documents)
        #expect(try KindSamples.documents(text).map(\.title) == ["Plan", "Notes", "Old"])
    }

    @Test(arguments: [#"{"documents":%@}"#, "%@", #"{"kind":"documents","documents":{"documents":%@}}"#])
    func theListMayBeAnObjectWithIds(form: String) throws {
        let list = #"{"b":{"title":"B","openedAt":5},"a":{"title":"A","openedAt":9},"c":{"id":"own","title":"C"}}"#
        let documents = try KindSamples.documents(form.replacing("%@", with: list))
        #expect(documents.map(\.id) == ["a", "b", "own"])
        #expect(documents.map(\.title) == ["A", "B", "C"])
    }

    private static func removed(_ text: String) throws(ParsingError) -> [String]? {
        try SourceParser.removedDocuments(in: FeedSamples.body(text))
    }

    @Test(arguments: [
        (#"{"remove":["b",3]}"#, ["b", "3"]), (#"{"remove":"b"}"#, ["b"]), (#"{"remove":[]}"#, []),
        (#"{"kind":"documents","documents":{"remove":["b"]}}"#, ["b"]), (#"{"documents":[],"remove":["b"]}"#, nil),
        (#"[{"title":"A"}]"#, nil), ("{}", nil), ("no JSON", nil),
    ])
    func aPushMayRemoveDocuments(text: String, ids: [String]?) throws { #expect(try Self.removed(text) == ids) }

    @Test(arguments: [#"{"remove":{}}"#, #"{"remove":[{}]}"#]) func aRemovalWithoutIdsIsAnError(text: String) {
        #expect(throws: ParsingError.self) { try Self.removed(text) }
        #expect(KindSamples.fault(text, .documents)?.kind == .wrongFormat)
    }

    @Test func onlyAPushRemovesDocuments() throws {
        #expect(KindSamples.fault(#"{"remove":["b"]}"#, .documents)?.message == "the object has no member 'documents'")
        let both = #"{"documents":[{"id":"a","title":"A"},{"id":"b","title":"B"}],"remove":["b"]}"#
        #expect(try KindSamples.documents(both).map(\.id) == ["a"])
    }

    @Test(arguments: [
        "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "no link", "/relative", "vbscript:x",
    ])
    func aLinkThatNobodyMayOpenIsLeftOut(link: String) throws {
        let documents = try KindSamples.documents(#"[{"id":"1","title":"A","url":"\#(link)"}]"#)
        #expect(documents == [RecentDocument(id: "1", title: "A")])
        let own = #"{"kind":"documents","documents":{"documents":[{"id":"1","title":"A","link":"\#(link)"}]}}"#
        let fault = KindSamples.fault(own, .documents)
        #expect(
            fault?.message.hasPrefix("/documents/documents/0/link: the link is invalid; write an http or https address")
                == true
        )
    }

    @Test func aDocumentWithoutTitleIsCalledAsItsLinkIs() throws {
        let documents = try KindSamples.documents(#"[{"url":"https://example.org/plans/2027.pages"}]"#)
        #expect(documents.map(\.title) == ["2027.pages"])
        let nothing = KindSamples.fault(#"[{"id":"1"}]"#, .documents)
        #expect(nothing?.message == "/0: the document has neither 'title' nor 'url'")
    }

    @Test func whatIsThereTwiceStaysOnce() throws {
        let text = #"[{"id":"1","title":"A","openedAt":5},{"id":"1","title":"A2","openedAt":1795222156}]"#
        let documents = try KindSamples.documents(text)
        #expect(documents.map(\.title) == ["A2"])
        #expect(documents.map(\.openedAt) == [Instant("2026-11-21T00:49:16Z")])
    }

    @Test(arguments: [0, 1, 50, 500]) func atMostFiftyAreKept(count: Int) throws {
        let text = "[" + (0..<count).map { #"{"title":"D\#($0)"}"# }.joined(separator: ",") + "]"
        #expect(try KindSamples.documents(text).count == min(count, 50))
    }

    @Test(arguments: ["{}", "7", "[7]", #"[{"title":7}]"#, #"[{"title":"A","openedAt":"soon"}]"#, #"{"documents":7}"#])
    func whatIsNoDocumentIsSaid(text: String) { #expect(KindSamples.fault(text, .documents)?.kind == .wrongFormat) }
}
