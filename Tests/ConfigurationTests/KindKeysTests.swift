// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Configuration

/// Tests of the keys of a widget that only some kinds have.
@Suite struct KindKeysTests {
    private func widget(_ entry: String) throws -> TidingsConfiguration.Widget {
        let text = "widgets: {a: {source: 'https://example.org/', \(entry)}}"
        return try #require(try TidingsConfiguration.parse(text, file: "t.yml").widgets.first)
    }

    private func errors(_ entry: String) -> [String] {
        do {
            _ = try TidingsConfiguration.parse("widgets:\n  a:\n    source: push\n    \(entry)\n", file: "t.yml")
            return []
        } catch {
            return error.errors.map { "\($0)" }
        }
    }

    @Test func valuesKeepTheirOrderAndTheirLabels() throws {
        let parsing = try widget("kind: keyValue, values: {b=c: /x, A: /y/0, 'c%': ''}").parsing
        #expect(parsing.options == ["value.000": "b%3Dc=/x", "value.001": "A=/y/0", "value.002": "c%25="])
    }

    @Test func rowsAreDescribedByPointersAndFormats() throws {
        let entry =
            "kind: json, items: {list: /items, title: /n, subtitle: {pointer: /s, format: bytes}, "
            + "date: {pointer: /d, format: rfc822}}"
        #expect(
            try widget(entry).parsing.options == [
                "list": "/items", "title": "/n", "subtitle": "/s", "subtitleFormat": "bytes", "date": "/d",
                "dateFormat": "rfc822",
            ]
        )
    }

    @Test func aFeedKeepsTheOrderOfItsDocumentOnDemand() throws {
        #expect(try widget("kind: feed").parsing.options == [:])
        #expect(try widget("kind: feed, order: date").parsing.options == [:])
        #expect(try widget("kind: feed, order: document").parsing.options == ["order": "document"])
        #expect(
            try widget("kind: feed, order: document, allowIncomplete: true").parsing.options
                == ["order": "document", "incomplete": "allowed"]
        )
        #expect(errors("kind: feed\n    order: newest").count == 1)
        #expect(errors("kind: quote\n    order: date").first?.contains("order is valid only for kind feed") == true)
    }

    @Test func aForecastHasTheDaysOfItsWidgetElseOfItsFirstDisplay() throws {
        #expect(try widget("kind: forecast, timeZone: Asia/Tokyo").parsing.options == ["timeZone": "Asia/Tokyo"])
        #expect(try widget("kind: forecast").parsing.options == ["timeZone": "UTC"])
    }

    @Test func actionsNameAndInsetsBelongToTheDefinition() throws {
        let definition = try widget(
            "kind: documents, name: Notes, insets: {trailing: 10, bottom: 0}, "
                + "actions: [{title: New, icon: plus, url: 'app://new'}]"
        ).definition
        #expect(definition.name == "Notes")
        #expect(definition.actions == [QuickAction(title: "New", icon: "plus", url: "app://new")])
        #expect(definition.insets == InsetsOverride(bottom: 0, trailing: 10))
    }

    @Test func namesAndTitlesOfActionsThatLookTheSameAreEqual() throws {
        let definitions = try [("Caf\u{E9}", "Neu"), ("Cafe\u{301}", "N\u{200B}eu\u{FEFF}")].map { name, title in
            let text = "kind: documents, name: \(name), actions: [{title: \(title), icon: plus, url: 'app://new'}]"
            return try WireJSON.encode(try widget(text).definition)
        }
        #expect(definitions[0] == definitions[1])
    }

    @Test func widgetsOfOneSourceWithOtherOptionsHaveOtherParsings() throws {
        let first = try widget("kind: keyValue, values: {City: /city}").parsing
        #expect(try widget("kind: keyValue, values: {City: /town}").parsing.key != first.key)
        #expect(try widget("kind: keyValue, values: {City: /city}").parsing.key == first.key)
    }

    @Test(arguments: [
        (
            "kind: feed\n    items: {title: /a}",
            "t.yml:5:5: items is valid only for kind json, but widget 'a' is of kind feed"
        ),
        ("kind: json", "t.yml:4:5: widget 'a' has no items (a mapping with the JSON Pointers list and title)"),
        ("kind: json\n    items: {list: /a}", "t.yml:5:12: items has no title (a JSON Pointer, such as /name)"),
        (
            "kind: json\n    items: {title: name}",
            "t.yml:5:20: title must be a JSON Pointer such as /name or /list/0/name, not 'name'"
        ),
        (
            "kind: json\n    items: {title: /a~2}",
            "t.yml:5:20: title must be a JSON Pointer such as /name or /list/0/name, not '/a~2'"
        ),
        (
            "kind: json\n    items: {title: {pointer: /a, format: procent}}",
            "t.yml:5:42: format must be text, decimal, percent, bytes or date, not 'procent'; did you mean 'percent'?"
        ),
        (
            "kind: json\n    items: {title: /a, link: {pointer: /b, format: text}}",
            "t.yml:5:44: link has no format; title, subtitle and date have one"
        ),
        ("kind: documents\n    actions: []", "t.yml:5:14: actions must contain 1 to 5 actions, not 0"),
        (
            "kind: documents\n    actions: [{title: A, icon: plus, url: 'javascript:x'}]",
            "t.yml:5:43: 'javascript:x' is neither an http or https address nor a link with an app's own scheme"
        ),
        ("kind: documents\n    actions: [{title: A, icon: plus}]", "t.yml:5:15: the action has no url"),
        (
            "kind: keyValue\n    values: {}",
            "t.yml:5:13: values is empty; remove the key to show all values of the document"
        ),
        (
            "kind: feed\n    insets: {left: 3}",
            "t.yml:5:14: unknown key 'left' in insets; known keys: top, leading, bottom, trailing"
        ),
    ])
    func whatIsWrongNamesItsPlace(entry: String, error: String) {
        #expect(errors(entry) == [error])
    }
}
