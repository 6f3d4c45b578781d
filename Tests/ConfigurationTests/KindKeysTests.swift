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
        let incomplete = try widget("kind: feed, order: document, allowIncomplete: true")
        #expect(incomplete.parsing.options == ["order": "document", "incomplete": "allowed"])
        #expect(errors("widgets: {a: {kind: feed, source: push, order: newest}}").count == 1)
        let error = errors("widgets: {a: {kind: quote, source: push, order: date}}").first
        #expect(error?.contains("order is valid only for kind feed") == true)
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
}
