// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct RowsTests {
    private static let instant = Instant("2026-11-21T00:49:16Z")

    @Test func aConfigurationMakesRows() throws {
        func row(_ id: String, _ title: String, _ bytes: Double, _ path: String) -> ContentRow {
            let (size, link) = (RowValue.number(RowNumber(bytes, .bytes)), "https://origin.example/\(path)")
            return ContentRow(id: id, title: .text(title), subtitle: size, date: Self.instant, link: link)
        }
        let rows = try KindSamples.rows(KindSamples.builds, KindSamples.buildOptions)
        #expect(rows == [row("11", "main", 1_500_000, "api/builds/11"), row("12", "docs", 20, "builds/12")])
    }

    @Test(arguments: [
        ("decimal", "12.5", RowValue.number(RowNumber(12.5))),
        ("percent", #""0.5""#, .number(RowNumber(0.5, .percent))), ("bytes", "1e3", .number(RowNumber(1000, .bytes))),
        ("text", "1.10", .text("1.10")), ("text", "true", .text("true")),
        ("date", "1795222156", .date(Instant(milliseconds: 1_795_222_156_000))),
        ("date", "1795222156000", .date(Instant(milliseconds: 1_795_222_156_000))),
        ("unixMilliseconds", #""1795222156000""#, .date(Instant(milliseconds: 1_795_222_156_000))),
        ("unixSeconds", "-1", .date(Instant(milliseconds: -1000))),
        ("rfc3339", #""2026-11-21T01:49:16+01:00""#, .date(Instant(milliseconds: 1_795_222_156_000))),
        ("rfc822", #""Sat, 21 Nov 2026 00:49:16 GMT""#, .date(Instant(milliseconds: 1_795_222_156_000))),
        ("date", #""2026-11-21 00:49:16""#, .date(Instant(milliseconds: 1_795_222_156_000))),
    ])
    func formatsSayWhatAValueMeans(format: String, value: String, expected: RowValue) throws {
        let rows = try KindSamples.rows("[\(value)]", ["title": "", "titleFormat": format])
        #expect(rows.map(\.title) == [expected])
    }

    @Test func anObjectIsAListWithItsNamesAsIDs() throws {
        let rows = try KindSamples.rows(#"{"b":{"n":"B"},"a":{"n":"A"},"x":{}}"#, ["title": "/n"])
        #expect(rows.map(\.id) == ["b", "a"])
        #expect(rows.map(\.title) == [.text("B"), .text("A")])
    }

    @Test func rowsWithoutTitleAreLeftOutAndCountedWhenNoneHasOne() throws {
        #expect(try KindSamples.rows(#"[{"n":null},{"n":"A"},{},7]"#, ["title": "/n"]).count == 1)
        let options = ["list": "/l", "title": "/n"]
        let fault = try #require(KindSamples.fault(#"{"l":[{"m":1},7,null]}"#, .json, options: options))
        #expect(fault.message == "/l/0: there is no title at '/n'; none of 3 elements has a title")
        #expect(try KindSamples.rows("[]", ["title": "/n"]).isEmpty)
    }

    @Test func aListThatIsNotThereIsSaid() throws {
        let text = #"{"data":{"rows":[]}}"#
        let fault = KindSamples.fault(text, .json, options: ["list": "/data/items", "title": "/n"])
        #expect(fault?.message == "/data: 'items' was not found; the configured 'list' is /data/items")
        let scalar = KindSamples.fault(#"{"data":7}"#, .json, options: ["list": "/data", "title": "/n"])
        #expect(scalar?.message == "/data: the value is a number; a list was expected")
        let apology = KindSamples.fault(#"{"error":"no such key"}"#, .json, options: ["list": "/data", "title": "/n"])
        #expect(apology?.kind == .refused)
    }

    @Test func linksThatNobodyMayOpenAreLeftOut() throws {
        let text = #"[{"n":"A","u":"javascript:x"},{"n":"B","u":"app://x"},{"n":"C","u":7},{"n":"D","u":"?q=1"}]"#
        let rows = try KindSamples.rows(text, ["title": "/n", "link": "/u"])
        #expect(rows.map(\.link) == [nil, "app://x", nil, "https://origin.example/api/data.json?q=1"])
    }

    @Test func idsAreUniqueAndTheSameEachTime() throws {
        let text = #"[{"n":"A"},{"n":"A"},{"n":"B","i":"A"},{"n":"C","i":"x"},{"n":"D","i":"x"}]"#
        let rows = try KindSamples.rows(text, ["title": "/n", "id": "/i"])
        #expect(rows.prefix(2).map(\.id) == ["A", "A#2"])
        #expect(rows.map(\.title) == ["A", "A", "B", "C", "D"].map { .text($0) })
        #expect(Set(rows.map(\.id)).count == 5)
        #expect(try KindSamples.rows(text, ["title": "/n", "id": "/i"]) == rows)
    }

    @Test func aRowWithARepeatedIdKeepsItsIdWhenOthersComeAndGo() throws {
        func ids(_ names: [String]) throws -> [String: String] {
            let elements = names.map { #"{"n":"\#($0)","i":1,"u":"https://a.example/\#($0)"}"# }
            let text = "[\(elements.joined(separator: ","))]"
            let rows = try KindSamples.rows(text, ["title": "/n", "id": "/i", "link": "/u"])
            #expect(rows.count == names.count)
            return Dictionary(uniqueKeysWithValues: rows.map { ($0.link ?? "", $0.id) })
        }
        let (before, after) = (try ids(["a", "b", "c"]), try ids(["a", "c"]))
        #expect(before["https://a.example/a"] == "1")
        #expect(after["https://a.example/c"] == before["https://a.example/c"])
        let alike = #"[{"n":"A","i":1},{"n":"A","i":1},{"n":"A","i":1}]"#
        let repeated = try KindSamples.rows(alike, ["title": "/n", "id": "/i"])
        #expect(Set(repeated.map(\.id)).count == 3)
    }

    @Test func longIDsThatBeginAlikeStayDifferent() throws {
        let ids = ["x", "y"].map { String(repeating: "a", count: 600) + $0 }
        let text = "[" + ids.map { #"{"n":"A","i":"\#($0)"}"# }.joined(separator: ",") + "]"
        let rows = try KindSamples.rows(text, ["title": "/n", "id": "/i"])
        #expect(Set(rows.map(\.id)).count == 2)
        #expect(rows.allSatisfy { $0.id.utf8.count <= 512 })
    }

    @Test(arguments: [0, 1, 50, 500]) func atMostFiftyAreKept(count: Int) throws {
        let text = "[" + (0..<count).map { #"{"n":"R\#($0)"}"# }.joined(separator: ",") + "]"
        #expect(try KindSamples.rows(text, ["title": "/n"]).count == min(count, 50))
    }

    @Test(arguments: [
        ([:], "set 'list' and 'title' to say where its rows are"), (["list": ""], "title: is missing"),
        (["title": "name"], "title: 'name' is not a JSON Pointer: it does not begin with '/'; did you mean"),
        (["title": "/n", "list": "/~"], "list: '/~' is not a JSON Pointer"),
        (["title": "/n", "titleFormat": "byte"], "titleFormat: 'byte' is not a format; the formats are text, "),
        (["title": "/n", "date": "/d", "dateFormat": "bytes"], "dateFormat: 'bytes' is not a date format"),
    ])
    func aDescriptionOfNoUseIsSaid(options: [String: String], message: String) {
        let fault = KindSamples.fault("[]", .json, options: options)
        #expect(fault?.message.contains(message) == true, "\(String(describing: fault))")
    }

    @Test func rowsInTheirOwnFormNeedNoDescription() throws {
        let own = """
            {"kind":"json","json":{"rows":[{"id":"1","title":{"text":"main"},"subtitle":{"number":{"value":0.5,
            "format":"percent"}},"date":"2026-11-21T00:49:16Z","link":"app://1"},{"id":"2","title":{"date":
            "2026-11-21T00:49:16Z"}}]}}
            """
        let rows = try KindSamples.rows(own, [:])
        #expect(rows.map(\.subtitle) == [.number(RowNumber(0.5, .percent)), nil])
        #expect(rows.map(\.link) == ["app://1", nil])
        let fault = KindSamples.fault(own.replacing("app://1", with: "file:///x"), .json)
        #expect(fault?.message.hasPrefix("/json/rows/0/link: the link is invalid; write an http") == true)
    }
}
