// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing

@testable import LayoutEngine

@Suite struct DisplayTextTests {
    private static let text = "Twenty-four letters long"

    /// Returns the text with other characters after the first `position` ones.
    private func text(_ inserted: String, at position: Int) -> String {
        Self.text.prefix(position) + inserted + Self.text.dropFirst(position)
    }

    @Test(arguments: 0...24)
    func aControlCharacterIsRemovedAtEveryPosition(position: Int) {
        for value in Array(UInt8(0)..<0x20) + [0x7F] where !(0x09...0x0D).contains(value) {
            #expect(DisplayText(text(String(UnicodeScalar(value)), at: position)).string == Self.text)
        }
    }

    @Test(arguments: 1..<24)
    func severalSpacesBecomeOneAtEveryPosition(position: Int) {
        for spaces in 2...20 {
            let raw = "ab" + text(String(repeating: " ", count: spaces), at: position) + " "
            let words = raw.split(separator: " ")
            #expect(DisplayText(raw).string == words.joined(separator: " "))
        }
    }

    @Test(arguments: 0...24)
    func visibleCharactersAreKeptAtEveryPosition(position: Int) {
        for character in (0x21..<0x7F).map({ String(UnicodeScalar($0)) }) + ["ü", "東", "–"] {
            let raw = text(character, at: position)
            #expect(DisplayText(raw).string == raw)
        }
    }
}
