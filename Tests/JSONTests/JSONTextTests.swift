// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import JSON
import Testing

/// Tests of the writer: strings, numbers and a streamed value, read back by Foundation.
@Suite struct JSONTextTests {
    private func written(_ text: String, _ escapes: JSONText.Escapes) -> String {
        var output: [UInt8] = []
        JSONText.append(text, to: &output, escapes: escapes)
        return String(decoding: output, as: UTF8.self)
    }

    private static let everyScalar = String(String.UnicodeScalarView((0...0x3000).compactMap { Unicode.Scalar($0) }))

    @Test(arguments: [JSONText.Escapes.required, .allControls])
    func everyCharacterIsReadBack(escapes: JSONText.Escapes) throws {
        let json = written(Self.everyScalar + "🧭", escapes)
        let text = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        #expect(text as? String == Self.everyScalar + "🧭")
    }

    @Test(arguments: [
        ("tab\t", #""tab\t""#, #""tab\t""#), ("\u{1B}[31m", #""\u001b[31m""#, #""\u001b[31m""#),
        ("\u{7F}", "\"\u{7F}\"", #""\u007f""#), ("\u{85}", "\"\u{85}\"", #""\u0085""#),
        ("a\u{2028}b", "\"a\u{2028}b\"", #""a\u2028b""#),
        ("\u{A0}é\u{20AC}", "\"\u{A0}é\u{20AC}\"", "\"\u{A0}é\u{20AC}\""),
        (#"say "no" \"#, #""say \"no\" \\""#, #""say \"no\" \\""#),
    ])
    func escapesAreThoseOfTheirSet(text: String, required: String, all: String) {
        #expect(written(text, .required) == required)
        #expect(written(text, .allControls) == all)
    }

    @Test func noLineBreakAndNoControlCharacterRemainsAmongAllControls() {
        for scalar in written(Self.everyScalar, .allControls).unicodeScalars {
            #expect(scalar.properties.generalCategory != .control && scalar != "\u{2028}" && scalar != "\u{2029}")
        }
    }

    @Test func controlsAreEscapedInATextWithoutQuotes() {
        var output: [UInt8] = []
        JSONText.append(escapingControlsOf: "say \"no\" \\ \n \u{9B} end", to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "say \"no\" \\ \\n \\u009b end")
    }

    @Test func aValueInPiecesIsTheSameValue() throws {
        for isPretty in [false, true] {
            var pieces: [String] = []
            var writer = JSONStreamWriter(isPretty: isPretty) { pieces.append($0) }
            writer.beginObject()
            writer.beginObject("head")
            writer.member("title", "größe")
            writer.member("link", nil)
            writer.endObject()
            writer.beginArray("items")
            for index in 0..<40 {
                writer.beginObject()
                writer.member("id", "\(index)")
                writer.member("text", String(repeating: "word ", count: 1_000))
                writer.endObject()
            }
            writer.endArray()
            writer.beginArray("none")
            writer.endArray()
            writer.endObject()
            writer.finish()
            #expect(pieces.count > 2)
            let object = try JSONSerialization.jsonObject(with: Data(pieces.joined().utf8)) as? [String: Any]
            #expect((object?["head"] as? [String: String]) == ["title": "größe"])
            let items = object?["items"] as? [[String: String]]
            #expect(items?.map { $0["id"] } == (0..<40).map { "\($0)" })
            #expect((object?["none"] as? [Any])?.isEmpty == true)
        }
    }
}
