// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@Suite struct ParsingOptionTests {
    @Test(arguments: ["", "/", "/a/b", "/a~1b/m~0n", "/0/x y/%25"])
    func aPointerIsWrittenAsItWasRead(text: String) throws { #expect(try JSONPointer(text).description == text) }

    @Test func aPointersNamesAreThoseOfTheDocument() throws {
        #expect(try JSONPointer("/a~1b/m~0n//~01").tokens == ["a/b", "m~n", "", "~1"])
    }

    @Test(arguments: ["a", "/~", "/~2", "/a~"])
    func whatIsNoPointerIsRefused(text: String) { #expect(throws: ParsingOptionError.self) { try JSONPointer(text) } }

    @Test func pointersAreBounded() {
        #expect(throws: ParsingOptionError.self) { try JSONPointer(String(repeating: "/a", count: 33)) }
        #expect(throws: ParsingOptionError.self) { try JSONPointer("/" + String(repeating: "a", count: 1_024)) }
    }

    @Test func valuesSurviveTheirOption() throws {
        let values = try ["City", "A&B=C %", "€"].map {
            KeyValueParsing.Value(label: $0, pointer: try JSONPointer("/x&y=%26/\($0)"))
        }
        let options = KeyValueParsing(values: values).options
        #expect(try KeyValueParsing(options: options).values == values)
        #expect(KeyValueParsing().options.isEmpty)
    }

    @Test func valuesStandInTheOrderOfTheirNames() throws {
        let options = ["value.010": "C=/c", "value.002": "B=/b", "value.000": "b%3Dc=/x=y", "other": "?"]
        #expect(try KeyValueParsing(options: options).values.map(\.label) == ["b=c", "B", "C"])
        #expect(try KeyValueParsing(options: options).values.first?.pointer.tokens == ["x=y"])
    }

    @Test(arguments: ["City", "=/a", "A=a", "A=/~"])
    func valuesThatNobodyCanMeanAreRefused(text: String) {
        #expect(Parsing(kind: .keyValue, options: ["value.000": text]).problem?.option == "value.000")
    }

    @Test func twoValuesHaveTwoLabels() {
        let parsing = Parsing(kind: .keyValue, options: ["value.0": "A=/a", "value.1": "A=/b"])
        #expect(parsing.problem?.description == "value.1: two values have the label 'A'")
    }

    @Test func rowsSurviveTheirOptions() throws {
        let rows = RowsParsing(
            list: try JSONPointer("/items"),
            title: .init(try JSONPointer("/name")),
            subtitle: .init(try JSONPointer("/size"), .bytes),
            link: try JSONPointer("/url"),
            date: .init(try JSONPointer("/at"), .unixSeconds),
            id: try JSONPointer("/id")
        )
        #expect(try RowsParsing(options: rows.options) == rows)
        let least = RowsParsing(title: .init(.root))
        #expect(least.options == ["title": ""])
        #expect(try RowsParsing(options: least.options) == least)
        let parsing = Parsing(kind: .json, options: ["list": "/items", "title": "/name"])
        #expect(parsing.key == "json;list=/items;title=/name")
    }

    @Test func eachKindKnowsItsOptions() {
        #expect(WidgetKind.feed.parsingOptions == ["incomplete", "order"])
        #expect(Parsing(kind: .feed, options: ["incomplete": "maybe"]).problem?.option == "incomplete")
        #expect(WidgetKind.forecast.parsingOptions == ["timeZone"])
        #expect(Parsing(kind: .forecast, options: ["timeZone": "Mars/Base"]).problem?.option == "timeZone")
        #expect(Parsing(kind: .json).problem?.option == "title")
        #expect(Parsing(kind: .json, options: ["title": "/n", "later": "x"]).problem == nil)
    }
}
