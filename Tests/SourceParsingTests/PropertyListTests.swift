// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

@Suite struct PropertyListTests {
    private static func list(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]) func aForecastMayBeAPropertyList(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let days: [[String: Any]] = [
            ["date": "2026-11-21", "condition": "snow", "low": -3, "high": 0.5],
            [
                "date": Date(timeIntervalSince1970: 1_795_305_600), "condition": 61, "low": 1.25,
                "high": 300_000 / 60_000,
            ],
        ]
        let content = try KindSamples.parse(try Self.list(["days": days, "seen": true], format), .forecast)
        guard case .forecast(let forecast) = content else { return }
        #expect(forecast.days.map(\.date.description) == ["2026-11-21", "2026-11-22"])
        #expect(forecast.days.map(\.low) == [-3, 1.25])
        #expect(forecast.days.map(\.high) == [0.5, 5])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]) func aFeedMayBeAPropertyList(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let list: [String: Any] = [
            "version": "https://jsonfeed.org/version/1.1", "title": "Notes",
            "items": [["id": "1", "title": "First", "url": "https://a.example/1"]],
        ]
        let content = try KindSamples.parse(try Self.list(list, format), .feed)
        guard case .feed(let feed) = content else {
            Issue.record("\(content)")
            return
        }
        #expect(feed.items.map(\.title) == ["First"])
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]) func allThatItMayHoldIsRead(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let long = String(repeating: "long ", count: 50) + "end"
        let value: [String: Any] = [
            "text": "a < b & \"c\" \u{7}\\", "unicode": "é 🧭 ü", "long": long, "big": 9_007_199_254_740_993,
            "minus": -70_000, "real": 0.1, "no": false, "data": Data([1, 2, 3]),
            "at": Date(timeIntervalSince1970: 1_795_222_156), "list": [1, 2], "inner": ["x": 255], "empty": [String](),
            "none": [String: String](),
        ]
        let clean = format == .binary ? value : value.merging(["text": "a < b & \"c\" \\"]) { $1 }
        guard case .keyValue(let facts) = try KindSamples.parse(try Self.list(clean, format), .keyValue) else { return }
        #expect(
            facts.pairs.map { "\($0.key)=\($0.value)" } == [
                "at=2026-11-21T00:49:16" + (format == .xml ? "Z" : ".000Z"), "big=9007199254740993", "inner.x=255",
                "long=\(long)", "minus=-70000", "no=false", "real=0.1", "text=a < b & \"c\" \\", "unicode=é 🧭 ü",
            ]
        )
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary]) func halfOfItIsMalformed(
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let whole = try Self.list(["quotes": [["text": "Words", "author": "Ada"], ["text": "More"]]], format)
        #expect(try KindSamples.parse(whole, .quote).count == 2)
        for count in 1..<(whole.count - 12) {
            #expect(throws: ParsingError.self, "\(count) bytes") { try KindSamples.parse(whole.prefix(count), .quote) }
        }
    }

    @Test func noByteOfABinaryOneCanDoHarm() throws {
        let whole = try Self.list(
            ["quotes": [["text": "Words", "author": "Ada"], ["text": "Möre"]], "n": 70_000],
            .binary
        )
        for index in whole.indices {
            for value in [UInt8(0), 1, 0x7f, 0x80, 0xd3, 0xff] {
                var broken = whole
                broken[index] = value
                _ = try? KindSamples.parse(broken, .quote)
            }
        }
    }

    @Test func whatRefersToItselfComesToAnEnd() throws {
        // One array that holds itself, and a tower of arrays that each hold the next one many times.
        func list(_ objects: [[UInt8]]) -> Data {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
                bytes += object
            }
            let table = bytes.count
            bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
            bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
            return Data(bytes)
        }
        let tower = (0..<40).map { [0xaa] + [UInt8](repeating: UInt8($0 + 1), count: 10) } + [[0x51, 0x61]]
        for objects in [[[0xa1, 0x00]], tower] {
            #expect { try KindSamples.parse(list(objects), .quote) } throws: {
                ($0 as? ParsingError)?.kind == .tooComplex
            }
        }
    }

    @Test(arguments: [
        ("<html><body>Not found</body></html>", "the document is an HTML page"), ("<rss></rss>", "the root <rss>"),
        ("<plist><dict><key>a</key></dict></plist>", "</dict> was found; a value was expected"),
        ("<plist><array><key>a</key></array></plist>", "<key> is not a value"),
        ("<plist/>", "the property list is empty"),
        ("<plist><string>&lol;</string></plist>", "'&lol;' is not a known entity or character reference"),
        (#"<!DOCTYPE plist [<!ENTITY a "b">]><plist/>"#, "contains declarations"),
        ("<plist><integer>x</integer></plist>", "'x' is not a number"), ("<plist>\n<array>\n<string>", "ends early"),
        ("<plist><string>a</string></plist", "ends early"), ("<", "ends early"),
    ])
    func whatIsNoneIsSaid(text: String, message: String) throws {
        let fault = try #require(KindSamples.fault(text, .quote))
        #expect(fault.message.contains(message), "\(fault.message)")
        #expect(fault.line != nil)
    }

    @Test func depthIsBounded() {
        let text = "<plist>" + String(repeating: "<array>", count: 100_000)
        #expect(KindSamples.fault(text, .quote)?.kind == .tooComplex)
    }
}
