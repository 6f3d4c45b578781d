// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import SourceParsing

/// Tests of pushed documents: the accepted formats, the errors, and the members that were not used.
@Suite struct PushedDocumentTests {
    private func read(_ text: String, _ parsing: Parsing) throws(DocumentFaults) -> PushedDocument {
        let received = Instant("2026-11-21T08:00:00Z")
        let body = SourceBody(Data(text.utf8), contentType: nil, documentURL: "", received: received)
        return try PushedDocument.read(body, parsing: parsing)
    }

    private func error(_ text: String, _ parsing: Parsing) -> String {
        do throws(DocumentFaults) {
            _ = try read(text, parsing)
            return ""
        } catch { return error.text(name: "") }
    }

    private static let plist = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>title</key><string>Notes</string>
        <key>items</key><array><dict><key>title</key><string>One</string></dict></array></dict></plist>
        """

    @Test(arguments: [
        #"[{"title":"One"}]"#, #"{"title":"Notes","items":[{"title":"One"}]}"#, plist,
        #"{"version":"https://jsonfeed.org/version/1.1","title":"Notes","items":[{"id":"1","title":"One"}]}"#,
        #"{"title":"Notes","home_page_url":"https://a.example/","items":[{"id":"1","title":"One"}]}"#,
        #"<rss version="2.0"><channel><title>Notes</title><item><title>One</title></item></channel></rss>"#,
        "\u{FEFF}<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>N</title><entry><id>1</id><title>One</title></entry></feed>",
    ])
    func aFeedMayHaveEveryFormatOfAnOriginAndTheOwnOne(_ text: String) throws {
        guard case .feed(let feed) = try read(text, Parsing(kind: .feed)).content else {
            Issue.record("not a feed")
            return
        }
        #expect(feed.items.map(\.title) == ["One"])
    }

    @Test(arguments: [
        (WidgetKind.documents, #"{"documents":[{"titel":"A"}]}"#, "1:15: /documents/0: ", "'title' instead of 'titel'"),
        (.documents, #"{"document":[{"title":"A"}]}"#, "1:1: the object", "'documents' instead of 'document'"),
        (.quote, #"{"quots":[{"text":"A"}]}"#, "1:1: the object", "'quotes' instead of 'quots'"),
        (.quote, #"[{"texd":"A"}]"#, "1:2: /0: ", "'text' instead of 'texd'"),
        (.forecast, #"{"days":[{"dat":"2026-11-21"}]}"#, "1:10: /days/0: ", "'date' instead of 'dat'"),
        (.feed, #"{"titel":"A","items":[]}"#, "1:2: titel: unknown", "did you mean 'title'?"),
        (.feed, #"{"items":[{"titel":"A"}]}"#, "1:12: items[0].titel: unknown", "did you mean 'title'?"),
        (.feed, #"[{"title":"A","url":"https://a.example/"}]"#, "1:15: items[0].url: unknown", "did you mean 'link'?"),
        (.feed, #"[{"title":"A","date_published":"2026"}]"#, "1:15: items[0].date_pub", "did you mean 'published'?"),
        (.feed, #"{"title":"A","entries":[]}"#, "1:1: items: the items are missing", "did you mean 'items'?"),
    ])
    func errorsNameTheMemberAndTheWordThatWasMeant(
        _ kind: WidgetKind,
        _ text: String,
        _ start: String,
        _ word: String
    ) {
        let error = error(text, Parsing(kind: kind))
        #expect(error.hasPrefix(start), "\(error)")
        #expect(error.contains(word), "\(error)")
    }

    @Test func pointersAreCorrectedToo() {
        let parsing = Parsing(kind: .json, options: ["list": "/builds", "title": "/branch"])
        let error = error(#"{"builds":[{"brnach":"main"}]}"#, parsing)
        #expect(error.contains("did you mean 'branch' instead of 'brnach'?"), "\(error)")
    }

    @Test func contentOfAnotherKindIsNamed() {
        let text = #"{"kind":"quote","quote":{"quotes":[]}}"#
        #expect(error(text, Parsing(kind: .feed)).contains("the content is of kind quote; kind feed was expected"))
        let forecast = error(text, Parsing(kind: .forecast))
        #expect(forecast.contains("the content is of kind quote; kind forecast was expected"))
    }

    private func unused(_ text: String, _ parsing: Parsing) throws(DocumentFaults) -> String? {
        UnusedMember.text(try read(text, parsing).unused)
    }

    @Test func membersThatChangeNothingAreNamed() throws {
        let quote = Parsing(kind: .quote)
        #expect(try unused(#"{"text":"A","author":"Ada"}"#, quote) == nil)
        #expect(
            try unused(#"{"quotes":[{"text":"A"},{"text":"B","personId":7}],"forecast":{"days":[1]}}"#, quote)
                == "'quotes[].personId' and 'forecast' were not used"
        )
        #expect(try unused(#"[{"text":"A","autor":"Ada"}]"#, quote) == "'autor' was not used; did you mean 'author'?")
        let days = #"{"days":[{"date":"2026-11-21","high":9,"hihg":8,"low":1}],"date":"2026-11-20"}"#
        #expect(try unused(days, Parsing(kind: .forecast)) == "'days[].hihg' and 'date' were not used")
        #expect(try unused(#"[{"title":"A","colour":"red"}]"#, Parsing(kind: .documents)) == "'colour' was not used")
        let facts = #"{"a":1,"b":[1],"c":null,"d":{"e":2}}"#
        #expect(try unused(facts, Parsing(kind: .keyValue)) == "'b' and 'c' were not used")
        let feed = """
            {"version":"https://jsonfeed.org/version/1.1","title":"N","feed_url":"https://a.example/f",
             "items":[{"id":"1","title":"One","image":"https://a.example/i"},{"id":"2","titel":"Two","summary":"S"}]}
            """
        #expect(
            try unused(feed, Parsing(kind: .feed))
                == "'items[].image' and 'items[].titel' were not used; did you mean 'title' instead of 'items[].titel'?"
        )
    }

    // A list is used, although nothing of it is shown.
    @Test func theMembersOfAListAreNamedInPlaceOfTheList() throws {
        let feed = Parsing(kind: .feed)
        let head = #"{"version":"https://jsonfeed.org/version/1.1","title":"N","items":["#
        let misspelt = try unused(head + #"{"id":"1","titel":"A"}]}"#, feed)
        #expect(misspelt == "'items[].titel' was not used; did you mean 'title'?")
        #expect(try unused(head + "]}", feed) == nil)
        #expect(try unused(#"{"documents":[]}"#, Parsing(kind: .documents)) == nil)
        #expect(try unused(#"{"quotes":[]}"#, Parsing(kind: .quote)) == nil)
    }

    // The document is received on this day.
    @Test func theDateFromWhichDaysCountIsUsed() throws {
        let days = #"{"date":"2026-11-21","days":[{"daysFromNow":0,"condition":"rain","low":1,"high":2}]}"#
        #expect(try unused(days, Parsing(kind: .forecast)) == nil)
    }

    @Test func whatPointersDoNotSelectIsNotNamed() throws {
        let rows = Parsing(kind: .json, options: ["list": "/builds", "title": "/branch"])
        #expect(try unused(#"{"builds":[{"branch":"main","size":3}],"page":1}"#, rows) == nil)
        let facts = Parsing(kind: .keyValue, options: ["value.000": "City=/city"])
        #expect(try unused(#"{"city":"Lisbon","ip":"192.0.2.1"}"#, facts) == nil)
    }

    @Test func manyMembersAreCountedAndEscapedNamesDoNotBreakTheDocument() throws {
        let names = (1...20).map { "\"x\\\"\($0)\":\($0)" }.joined(separator: ",")
        let text = try unused(#"{"text":"A",\#(names)}"#, Parsing(kind: .quote))
        #expect(text?.hasSuffix("and 14 more were not used") == true, "\(text ?? "")")
    }

    @Test func anErrorWithoutANameBeginsWithItsPlace() {
        var error = ParsingError(.wrongFormat, "bad")
        #expect(error.text(name: "") == "bad")
        error.line = 2
        #expect(error.text(name: "f") == "f:2: bad")
        error.column = 3
        #expect(error.text(name: "") == "2:3: bad")
    }
}
