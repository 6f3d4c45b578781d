// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import CommandLineTool

@Suite struct TextColumnsTests {
    private let columns = TextColumns([(5, .left), (4, .right), (6, .left)], style: .plain)

    @Test func cellsStandInTheirColumns() {
        #expect(columns.line([.init("ab"), .init("7"), .init("xyz")]) == "ab        7  xyz")
        #expect(columns.line([.init("abcde"), .init("1234"), .init("")]) == "abcde  1234")
        #expect(columns.line([.init(""), .init(""), .init("x")]) == "             x")
    }

    @Test func noLineEndsWithSpaces() {
        #expect(columns.line([.init("ab"), .init(""), .init("")]) == "ab")
        #expect(columns.line([.init(""), .init(""), .init("")]).isEmpty)
    }

    @Test func longTextsEndWithAnEllipsis() {
        #expect(columns.line([.init("abcdefgh"), .init("1"), .init("")]) == "abcd…     1")
        #expect(CharacterWidth.shorten("abc", to: 1) == "…")
        #expect(CharacterWidth.shorten("abc", to: 0).isEmpty)
    }

    @Test(arguments: [
        ("abc", 3), ("日本語", 6), ("ﾊﾝｶｸ", 4), ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("e\u{301}", 1), ("नमस्ते", 4),
        ("क्षि", 3), ("ไทย", 3), ("👩‍👩‍👧‍👦", 2), ("🇵🇹", 2), ("1️⃣", 2), ("☀️", 2), ("⌚", 2), ("a\u{200B}b", 2), ("，", 2),
    ])
    func aTextHasTheColumnsOfTerminals(_ text: String, _ columns: Int) {
        #expect(CharacterWidth.columns(of: text) == columns)
    }

    @Test(arguments: [
        "東京の天気は晴れのち曇り、夜は雨でしょう", "दिल्ली में आज मौसम साफ़ रहेगा और तापमान बढ़ेगा", "서울의 날씨는 맑겠습니다", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
    ])
    func cellsInEveryScriptKeepTheColumns(_ text: String) {
        let columns = TextColumns([(10, .left), (3, .left)], style: .plain)
        for count in 0...text.count {
            let line = columns.line([.init(String(text.prefix(count))), .init("end")])
            #expect(CharacterWidth.columns(of: line) == 10 + TextColumns.gap + 3, "\(line)")
            // Nothing is cut within a character.
            let cut = line.dropLast(3).filter { $0 != " " && $0 != "…" }
            #expect(text.filter { $0 != " " }.hasPrefix(cut), "\(line)")
        }
    }

    @Test func coloursDoNotMoveColumns() {
        let colored = TextColumns([(5, .left), (4, .right)], style: .colored)
        #expect(
            colored.line([.init("ab", .good), .init("7", .bad)]) == "\u{1B}[32mab\u{1B}[0m        \u{1B}[31m7\u{1B}[0m"
        )
    }
}
