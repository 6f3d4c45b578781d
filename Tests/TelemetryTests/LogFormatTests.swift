// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing

@testable import Telemetry

@Suite struct LogFormatTests {
    private func entry(_ metadata: LogEntry.Metadata, message: String = "Committed a batch.") -> LogEntry {
        LogEntry(
            time: Date(timeIntervalSince1970: 1_795_222_156.123),
            level: .info,
            label: "cache",
            message: message,
            metadata: metadata
        )
    }

    @Test func anEntryForPeopleIsOneLineWithSortedValues() {
        let line = LogFormat.text.line(entry([.widget: "blog", .cycles: 3]))
        #expect(line == "2026-11-21T00:49:16.123Z info cache: Committed a batch. cycles=3 widget=blog\n")
    }

    @Test func anEntryForMachinesIsOneJSONObjectWithNumbersAndFlags() throws {
        let line = LogFormat.json.line(entry([.widget: "blog", .cycles: 3, .changed: true, .seconds: 1.5]))
        #expect(
            line
                == #"{"time":"2026-11-21T00:49:16.123Z","level":"info","logger":"cache","message":"Committed a batch.","#
                + #""changed":true,"cycles":3,"seconds":1.5,"widget":"blog"}"# + "\n"
        )
    }

    @Test(arguments: [
        ("plain", "plain"), ("", #""""#), ("two words", #""two words""#), (#"say "no""#, #""say \"no\"""#),
        ("a=b", #""a=b""#), ("tab\there", #""tab\there""#), ("line\nend\r", #""line\nend\r""#),
        ("\u{1B}[31mred", #""\u001b[31mred""#), ("\u{2028}", #""\u2028""#), ("\u{85}", #""\u0085""#),
        (#"a\b"#, #""a\\b""#),
        ("größe", "größe"),
    ])
    func aValueIsQuotedOnlyWhenNeeded(value: String, written: String) {
        #expect(LogFormat.text.line(entry([.reason: value])).hasSuffix(" reason=\(written)\n"))
    }

    @Test func whateverAValueHoldsTheJSONLineCanBeReadBack() throws {
        let nasty = String(String.UnicodeScalarView((0...0x2FF).compactMap { Unicode.Scalar($0) }))
        let line = LogFormat.json.line(entry([.reason: nasty]))
        #expect(line.filter { $0.isNewline }.count == 1)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let text = try #require(object["reason"] as? String)
        #expect(nasty.hasPrefix(text.dropLast()))
    }

    @Test(arguments: LogFormat.allCases)
    func aLineIsNeverLongerThanAPipeTakesAtOnce(format: LogFormat) throws {
        var metadata: LogEntry.Metadata = [:]
        for key in LogKey.allCases { metadata[key] = String(repeating: "\u{7}", count: 5_000) }
        let line = format.line(entry(metadata))
        #expect(line.utf8.count <= LogFormat.maximumLineBytes)
        #expect(line.hasSuffix("\n"))
        if format == .json { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test func aLongValueIsCutBetweenCharacters() {
        let line = LogFormat.text.line(entry([.reason: String(repeating: "ü", count: 600)]))
        #expect(line.hasSuffix(" reason=" + String(repeating: "ü", count: 512) + "…\n"))
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.000Z"), (4_107_542_399, "2100-02-28T23:59:59.000Z"),
        (1_709_164_799.999, "2024-02-28T23:59:59.999Z"),
    ])
    func instantsAreWrittenInUniversalTime(seconds: Double, text: String) {
        #expect(LogFormat.timestamp(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func noKeyTakesTheNameOfAnEntrysOwnField() {
        #expect(Set(LogKey.allCases.map(\.rawValue)).isDisjoint(with: ["time", "level", "logger", "message"]))
    }
}
