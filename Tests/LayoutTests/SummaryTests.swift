// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import LayoutEngine

@Suite struct SummaryTests {
    @Test(arguments: [
        String(repeating: "a", count: 119),
        String(repeating: "a", count: 120),
        String(repeating: "a", count: 121),
        String(repeating: "ab ", count: 70) + "c",
        String(repeating: "e\u{301}", count: 130),
        String(repeating: "a", count: 119) + "e\u{301}",
        String(repeating: "a", count: 120) + "\u{301}b",
        String(repeating: "a", count: 119) + "👨‍👩‍👧‍👦🇩🇪",
        String(repeating: "🇩🇪 ", count: 60) + "x",
        String(repeating: "1\u{FE0F}\u{20E3}", count: 130),
        String(repeating: "नमस्ते ", count: 40) + "x",
        "a" + String(repeating: "\u{301}", count: 300) + "b",
        String(repeating: "東京", count: 100),
    ])
    func aSummaryEndsBehindItsLastWholeCharacter(text: String) {
        var expected = ""
        for character in text.prefix(Summary.maximumCharacters) {
            guard expected.utf8.count + character.utf8.count <= Summary.maximumBytes else { break }
            expected.append(character)
        }
        if expected != text { expected += "…" }
        #expect(Summary(text).text.unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
