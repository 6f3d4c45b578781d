// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
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

    /// Parsings as earlier versions encoded them, with the keys under which they stored contents.
    private static let encoded: [(json: String, key: String)] = [
        (#"{"kind":"feed","options":{}}"#, "feed"),
        (#"{"kind":"feed","options":{"incomplete":"allowed"}}"#, "feed;incomplete=allowed"),
        (
            #"{"kind":"feed","options":{"incomplete":"allowed","order":"document"}}"#,
            "feed;incomplete=allowed;order=document"
        ),
        (#"{"kind":"quote","options":{}}"#, "quote"), (#"{"kind":"documents","options":{}}"#, "documents"),
        (#"{"kind":"forecast","options":{}}"#, "forecast"),
        (#"{"kind":"forecast","options":{"timeZone":"Asia/Tokyo"}}"#, "forecast;timeZone=Asia/Tokyo"),
        (#"{"kind":"keyValue","options":{}}"#, "keyValue"),
        (
            #"{"kind":"keyValue","options":{"value.000":"City=/city","value.001":"A%3D1;50%25=/a~1b/0","value.002":"ü%253D="}}"#,
            "keyValue;value.000=City%3D/city;value.001=A%253D1%3B50%2525%3D/a~1b/0;value.002=ü%25253D%3D"
        ),
        (#"{"kind":"json","options":{}}"#, "json"),
        (#"{"kind":"json","options":{"title":"/a=b;c%d~0~1"}}"#, "json;title=/a%3Db%3Bc%25d~0~1"),
        (
            #"{"kind":"json","options":{"list":"","title":"","titleFormat":"text"}}"#,
            "json;list=;title=;titleFormat=text"
        ),
        (
            #"{"kind":"json","options":{"date":"/d","dateFormat":"rfc822","id":"/i","link":"/l","list":"/r","#
                + #""subtitle":"/s","subtitleFormat":"bytes","title":"/t","titleFormat":"date"}}"#,
            "json;date=/d;dateFormat=rfc822;id=/i;link=/l;list=/r;subtitle=/s;subtitleFormat=bytes;title=/t;"
                + "titleFormat=date"
        ),
        // Options of a later version, and a value that this version does not know.
        (#"{"kind":"feed","options":{"later":"x"}}"#, "feed;later=x"),
        (#"{"kind":"json","options":{"title":"/t","titleFormat":"money"}}"#, "json;title=/t;titleFormat=money"),
    ]

    @Test func messagesAndKeysStayThoseOfEarlierVersions() throws {
        for (json, key) in Self.encoded {
            let parsing = try WireJSON.decode(Parsing.self, from: Data(json.utf8))
            #expect(parsing.key == key)
            #expect(String(decoding: try WireJSON.encode(parsing), as: UTF8.self) == json)
        }
    }

    /// Returns the error of invalid options; nil if the options are valid.
    private static func error(_ kind: WidgetKind, _ options: [String: String]) -> ParsingOptionError? {
        if case .invalid(_, _, let error) = Parsing(kind: kind, options: options) { error } else { nil }
    }

    @Test func valuesHaveTheOrderOfTheirNames() throws {
        let options = ["value.010": "C=/c", "value.002": "B=/b", "value.000": "b%3Dc=/x=y"]
        guard case .keyValue(let parsing) = Parsing(kind: .keyValue, options: options) else {
            Issue.record("The options are valid.")
            return
        }
        #expect(parsing.values.map(\.label) == ["b=c", "B", "C"])
        #expect(parsing.values.first?.pointer.tokens == ["x=y"])
    }

    @Test(arguments: ["City", "=/a", "A=a", "A=/~"])
    func valuesThatNobodyCanMeanAreRefused(text: String) {
        #expect(Self.error(.keyValue, ["value.000": text])?.option == "value.000")
    }

    @Test func twoValuesHaveTwoLabels() {
        let error = Self.error(.keyValue, ["value.0": "A=/a", "value.1": "A=/b"])
        #expect(error?.description == "value.1: two values have the label 'A'")
    }

    @Test func rowsAreOfTypesOfTheirOwn() throws {
        let options = [
            "list": "/items", "title": "/name", "subtitle": "/size", "subtitleFormat": "bytes", "date": "/at",
        ]
        let rows = RowsParsing(
            list: try JSONPointer("/items"),
            title: .init(try JSONPointer("/name")),
            subtitle: .init(try JSONPointer("/size"), .bytes),
            date: .init(try JSONPointer("/at"))
        )
        #expect(Parsing(kind: .json, options: options) == .json(rows))
        #expect(Parsing(kind: .json) == .json(nil))
    }

    @Test func eachKindKnowsItsOptions() {
        #expect(WidgetKind.feed.parsingOptions == ["incomplete", "order"])
        #expect(Self.error(.feed, ["incomplete": "maybe"])?.option == "incomplete")
        #expect(WidgetKind.forecast.parsingOptions == ["timeZone"])
        #expect(Self.error(.forecast, ["timeZone": "Mars/Base"])?.option == "timeZone")
        #expect(Self.error(.json, ["list": "/n"])?.option == "title")
        #expect(Self.error(.json, ["title": "/n", "later": "x"])?.option == "later")
    }
}
