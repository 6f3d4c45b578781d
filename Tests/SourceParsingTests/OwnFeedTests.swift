// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import SourceParsing

/// Tests of content that a person writes: the accepted forms and the reports of faults.
@Suite struct OwnFeedTests {
    private func feed(_ text: String) throws -> FeedContent { try OwnFeed.read(Array(text.utf8)) }

    private func faults(_ text: String) -> [String] {
        do {
            _ = try OwnFeed.read(Array(text.utf8))
            return []
        } catch { return error.text(name: "").split(separator: "\n").map(String.init) }
    }

    private static let item = #"{"id":"1","title":"One","author":"Ada","published":"2026-11-21T00:49:16Z"}"#

    @Test(arguments: [
        #"{"kind":"feed","feed":{"title":"Notes","items":[ITEM]}}"#, #"{"title":"Notes","items":[ITEM]}"#,
        #"{"feed":{"title":"Notes"},"items":[ITEM]}"#, #"{"feed":{"title":"Notes","items":[ITEM]}}"#,
    ])
    func everyFormGivesTheSameContent(_ form: String) throws {
        let feed = try feed(form.replacing("ITEM", with: Self.item))
        #expect(feed.title == "Notes")
        let published = Instant("2026-11-21T00:49:16Z")
        #expect(feed.items == [FeedItem(id: "1", title: "One", author: "Ada", published: published)])
    }

    @Test func itemsAloneAreEnoughAndATitleIsEnoughForAnItem() throws {
        let items = try feed(#"[{"title":"One"}, {"title":"Two","link":null}]"#).items
        #expect(items.map(\.title) == ["One", "Two"])
        #expect(Set(items.map(\.id)).count == 2)
        #expect(try feed("[]").items.isEmpty)
    }

    @Test func whatInspectWritesMayHaveMarkup() throws {
        let items = try feed(#"{"feed":{},"items":[{"title":"A","summary":"<b>Bold</b> &amp; more","content":"x"}]}"#)
        #expect(items.items.first?.summary == "Bold & more")
        // By hand a text is what it says.
        #expect(try feed(#"[{"title":"A","summary":"1 <b> 2"}]"#).items.first?.summary == "1 <b> 2")
    }

    @Test func allFaultsAreToldWithTheirPlaces() {
        let text = """
            {
              "titel": "Notes",
              "items": [
                {"title": 3, "link": "ftp://x/"},
                {"id": "a", "title": "A", "published": "yesterday"},
                {"id": "a", "title": "B"},
                "C",
                {}
              ]
            }
            """
        #expect(
            faults(text) == [
                "2:3: titel: unknown; did you mean 'title'?",
                "4:15: items[0].title: the value is a number; a string was expected",
                "4:26: items[0].link: 'ftp://x/' is not an absolute http or https URL",
                "5:44: items[1].published: 'yesterday' is not an RFC 3339 date and time, such as 2026-11-21T00:49:16Z",
                "6:5: items[2].id: 'a' is also the id of items[1]; ids must be unique",
                "7:5: items[3]: the value is a string; an object was expected",
                "8:5: items[4]: the item has nothing to show; give it a title, a summary or a link",
            ]
        )
        #expect(faults(#"{"kind":"fed"}"#).count == 2)
        #expect(faults("3") == ["1:1: the value is a number; an object or an array of items was expected"])
        #expect(faults("{}") == ["1:1: items: the items are missing"])
    }

    @Test(arguments: [
        ("", "1:1: the text is empty; a JSON value was expected"), ("{\n  \"a\" 1}", "2:7: ':' was expected"),
        ("[1,]", "1:4: a JSON value was expected"), ("[1", "1:3: the text ends within an array"),
        (#""a"#, "1:3: the text ends within a string"), ("[] x", "1:4: there is more text after"),
        ("[\"a\nb\"]", "1:4: a string has the control character 10"), ("[nul]", "1:2: a JSON value was expected"),
        (String(repeating: "[", count: 513), "1:513: the JSON is more than 512 levels deep"),
        ("[-]", "1:3: a digit was expected"), (#"["größe", x]"#, "1:11: a JSON value was expected"),
    ])
    func whatIsNoJSONIsToldWhere(_ text: String, _ expected: String) {
        let faults = faults(text)
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix(expected) == true, "\(faults)")
    }

    @Test func escapesAreRead() throws {
        #expect(try feed(#"[{"title":"\u00fc \ud83d\ude00 \"\\\/\n"}]"#).items.first?.title == #"ü 😀 "\/"#)
    }

    @Test func moreItemsThanAWidgetKeepsAreAFaultByHandOnly() throws {
        let items = (1...51).map { #"{"title":"\#($0)"}"# }.joined(separator: ",")
        #expect(faults("[\(items)]") == ["1:1: items: the array has 51 items; the maximum is 50"])
        let inspected = try feed(#"{"feed":{},"items":[\#(items)]}"#)
        #expect(inspected.items.count == 50)
    }
}
