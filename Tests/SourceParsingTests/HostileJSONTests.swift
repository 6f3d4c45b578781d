// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import SourceParsing
import Testing
import WidgetSchema

/// Whatever an origin sends in place of JSON, there is content or an error with a place, soon.
@Suite(.timeLimit(.minutes(3))) struct HostileJSONTests {
    private static let samples: [(WidgetKind, String, [String: String])] = [
        (.forecast, KindSamples.openMeteo, [:]),
        (.forecast, #"{"days":[{"date":"2026-11-21","condition":"snow","low":-3,"high":1}]}"#, [:]),
        (
            .forecast,
            """
            {"properties":{"timeseries":[{"time":"2026-11-21T12:00:00Z","data":{"instant":{"details":
            {"air_temperature":5}},"next_6_hours":{"summary":{"symbol_code":"rain"},"details":
            {"air_temperature_max":8}}}}]}}
            """, ["timeZone": "Europe/Berlin"]
        ), (.keyValue, KindSamples.facts, [:]),
        (.keyValue, KindSamples.facts, ["value.0": "A=/city", "value.1": "B=/company/network/size"]),
        (.keyValue, #"{"kind":"keyValue","keyValue":{"pairs":[{"key":"a","value":"1"}]}}"#, [:]),
        (.quote, KindSamples.quotes, [:]), (.documents, KindSamples.documents, [:]),
        (.json, KindSamples.builds, KindSamples.buildOptions),
        (.json, #"{"kind":"json","json":{"rows":[{"id":"1","title":{"number":{"value":1,"format":"bytes"}}}]}}"#, [:]),
    ]

    /// Returns every tree that differs from another in one place: `value` instead of a value, or a member less.
    private static func variants(of tree: Any, _ value: Any) -> [Any] {
        var all: [Any] = [value]
        if let object = tree as? [String: Any] {
            for (name, inner) in object {
                all += variants(of: inner, value).map { object.merging([name: $0]) { $1 } }
                var without = object
                without[name] = nil
                all.append(without)
            }
        } else if let array = tree as? [Any] {
            for (index, inner) in array.enumerated() {
                all += variants(of: inner, value).map { variant in
                    var changed = array
                    changed[index] = variant
                    return changed
                }
            }
        }
        return all
    }

    @Test(arguments: samples.indices) func anyTypeAtAnyPlaceGivesContentOrAnErrorWithAPlace(index: Int) throws {
        let (kind, text, options) = Self.samples[index]
        #expect(try KindSamples.parse(text, kind, options: options).count > 0)
        let tree = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let values: [Any] = [
            NSNull(), true, 0, -1.5, 1e300, "", "words", [Any](), [String: Any](), [["text": 1]],
            ["name": ["x": NSNull()]],
        ]
        for value in values {
            for variant in Self.variants(of: tree, value) {
                let bytes = try JSONSerialization.data(withJSONObject: variant, options: .fragmentsAllowed)
                do throws(ParsingError) { _ = try KindSamples.parse(bytes, kind, options: options) } catch {
                    #expect(error.kind != .empty && error.line == 1 && error.column != nil, "\(error)")
                    #expect(!error.message.contains("has faults"), "\(error)")
                }
            }
        }
    }

    @Test(arguments: samples.indices) func halfOfADocumentIsMalformed(index: Int) throws {
        let (kind, text, options) = Self.samples[index]
        let bytes = Data(text.utf8)
        for count in 1..<bytes.count {
            #expect(throws: ParsingError.self, "\(count) bytes") {
                try KindSamples.parse(bytes.prefix(count), kind, options: options)
            }
        }
    }

    @Test(arguments: [
        (#"{"a":1,}"#, 1, 8, "a name in quotation marks was expected"), ("[1 2]", 1, 4, "',' or ']' was expected"),
        ("{\"a\"\n1}", 2, 1, "':' was expected"), ("[01]", 1, 3, "must not have leading zeros"),
        ("[1.]", 1, 4, "a digit was expected"), ("[nan]", 1, 2, "a JSON value was expected"),
        ("[\"\\x\"]", 1, 4, "escape sequence is not valid"), ("[] []", 1, 4, "more text after"),
        ("[\"\\u12\"]", 1, 7, "four hexadecimal digits"), (#"{"a":[1}"#, 1, 8, "',' or ']' was expected"),
        ("\n\n[tru]", 3, 2, "a JSON value was expected"), (#"["a"#, 1, 4, "the text ends within a string"),
        ("[-]", 1, 3, "a digit"),
    ])
    func whatIsNoJSONIsSaidWithItsPlace(text: String, line: Int, column: Int, message: String) throws {
        let fault = try #require(KindSamples.fault(text, .keyValue))
        #expect(fault.message.contains(message), "\(fault.message)")
        #expect(fault.line == line && fault.column == column, "\(fault)")
    }

    @Test(arguments: ["\t", "\n", "\u{1}", "\u{0}", "\u{1f}"]) func aRawControlCharacterInAStringIsAnError(
        character: String
    ) {
        for kind in [WidgetKind.keyValue, .documents, .json] {
            #expect(KindSamples.fault(#"[{"title":"a\#(character)b"}]"#, kind)?.kind == .wrongFormat)
        }
    }

    @Test(arguments: ["", " \n", "\u{FEFF}"]) func nothingIsEmpty(text: String) {
        #expect(KindSamples.fault(text, .keyValue)?.kind == .empty)
    }

    @Test func encodingsAreFoundOut() throws {
        let text = #"{"city":"Zürich 🧭"}"#
        func facts(_ bytes: Data, _ type: String? = nil) throws -> String? {
            guard case .keyValue(let facts) = try KindSamples.parse(bytes, .keyValue, contentType: type) else {
                return nil
            }
            return facts.pairs.first?.value
        }
        for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian] {
            #expect(try facts(try #require(text.data(using: encoding))) == "Zürich 🧭")
        }
        #expect(try facts(Data("\u{FEFF}\(text)".utf8)) == "Zürich 🧭")
        let latin = try #require(#"{"city":"Zürich"}"#.data(using: .isoLatin1))
        // JSON is UTF-8 (RFC 8259, section 8.1), whatever a header says.
        #expect(try facts(latin, "application/json; charset=iso-8859-1") == "Z\u{FFFD}rich")
        let halves = "{\"city\":\"a\\ud83e\\uddedb \\ud83e \\udded \\t\\n\"}"
        #expect(try facts(Data(halves.utf8)) == "a🧭b \u{FFFD} \u{FFFD}")
    }

    @Test(arguments: WidgetKind.allCases.filter { $0 != .feed }) func depthCostsNoStack(kind: WidgetKind) {
        let options = ["title": "/n", "list": String(repeating: "/0", count: 32)]
        for (opening, closing) in [("[", "]"), (#"{"a":"#, "}")] {
            for text in [
                String(repeating: opening, count: 50_000),
                String(repeating: opening, count: 500) + "1" + String(repeating: closing, count: 500),
            ] {
                let fault = KindSamples.fault(text, kind, options: kind == .json ? options : [:])
                #expect(fault != nil || kind == .keyValue)
            }
        }
    }

    @Test(arguments: WidgetKind.allCases.filter { $0 != .feed }) func largeDocumentsTakeTimeInProportion(
        kind: WidgetKind
    ) throws {
        let count = 10_000
        let shapes = [
            "[" + String(repeating: "0,", count: count) + "0]", "[" + String(repeating: "{},", count: count) + "{}]",
            "{" + String(repeating: #""a":1,"#, count: count)
                + "\"b\":\"\(String(repeating: "\\u0041", count: count))\"}",
            #"{"a":"# + String(repeating: "9", count: count) + "}",
        ]
        let options = ["title": "/n"]
        for shape in shapes { _ = KindSamples.fault(shape, kind, options: kind == .json ? options : [:]) }
    }
}
