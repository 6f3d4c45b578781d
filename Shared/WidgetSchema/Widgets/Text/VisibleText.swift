// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation

/// Text in the one form in which it is stored: texts that look the same are equal.
///
/// The text is in Unicode's normalization form C, without the default-ignorable characters (DerivedCoreProperties.txt)
/// that have no effect where they stand. Soft hyphens are kept, because lines may end at them. Equal forms of a
/// character, and characters that are never visible, would otherwise count as changes.
public enum VisibleText {
    /// Returns a text in the stored form; a text without any visible character is returned unchanged.
    public static func normalized(_ text: String) -> String {
        guard mayChange(text) else { return text }
        var filter = InvisibleCharacterFilter(text.unicodeScalars)
        let visible = composed(filter.filtered())
        return visible.isEmpty ? text : visible
    }

    /// Returns the text in normalization form C, except that compatibility ideographs stay.
    ///
    /// They are canonically equivalent to other ideographs, but fonts draw them differently: names contain them.
    private static func composed(_ scalars: String.UnicodeScalarView) -> String {
        guard scalars.contains(where: isCompatibilityIdeograph) else {
            return String(scalars).precomposedStringWithCanonicalMapping
        }
        var result = String.UnicodeScalarView()
        var rest = scalars[...]
        while let index = rest.firstIndex(where: isCompatibilityIdeograph) {
            result += String(rest[..<index]).precomposedStringWithCanonicalMapping.unicodeScalars
            result.append(rest[index])
            rest = rest[rest.index(after: index)...]
        }
        result += String(rest).precomposedStringWithCanonicalMapping.unicodeScalars
        return String(result)
    }

    private static func isCompatibilityIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xF900...0xFAFF, 0x2F800...0x2FA1F: true
        default: false
        }
    }

    /// Returns false if a text is known to be in the stored form.
    ///
    /// The check looks at bytes only. It recognises texts without combining marks and invisible characters, of the letters
    /// of Latin, Greek, Cyrillic, Hebrew, Arabic and Korean, of kana, ideographs and emoji, with their usual punctuation.
    private static func mayChange(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            var index = 0
            while index < bytes.count {
                let first = bytes[index]
                if first < 0x80 {
                    let hasEight = index + 8 <= bytes.count
                    let word = hasEight ? raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) : .max
                    index += word & 0x8080_8080_8080_8080 == 0 ? 8 : 1
                    continue
                }
                // Below U+0300.
                if first < 0xCC {
                    index += 2
                    continue
                }
                let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
                guard index + length <= bytes.count,
                    isStable(first, bytes[index + 1], length > 2 ? bytes[index + 2] : 0)
                else { return true }
                index += length
            }
            return false
        }
    }

    /// Returns whether a character is the same in the stored form, whatever stands beside it, by its first bytes in UTF-8.
    ///
    /// Marks and other characters that can be a part of the one before them are not.
    private static func isStable(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second) {
        // Greek from U+0380 on, without the ano teleia; Cyrillic to U+047F.
        case (0xCE, _): second != 0x87
        case (0xCF, _), (0xD0, _), (0xD1, _): true
        // The letters of Hebrew.
        case (0xD7, _): second >= 0x90
        // The comma, the semicolon, the question mark and the letters of Arabic, and its digits.
        case (0xD8, _): second == 0x8C || second == 0x9B || second >= 0x9F
        case (0xD9, _): second <= 0x8A || (0xA0...0xAF).contains(second) || second >= 0xB1
        case (0xDA, _): true
        case (0xDB, _): second <= 0x95 || second >= 0xB0
        // U+1E00 to U+1EFF, which are Latin.
        case (0xE1, _): (0xB8...0xBB).contains(second)
        // U+2010 to U+2027, U+2030 to U+203F, U+20A0 to U+20BF.
        case (0xE2, 0x80): (0x90...0xA7).contains(third) || third >= 0xB0
        case (0xE2, 0x82): third >= 0xA0
        // U+3000 to U+3029, U+3040 to U+3098, U+309B to U+30FF.
        case (0xE3, 0x80): third < 0xAA
        case (0xE3, 0x81), (0xE3, 0x83): true
        case (0xE3, 0x82): third != 0x99 && third != 0x9A
        // Ideographs, and the syllables of Hangul.
        case (0xE4...0xE9, _): true
        case (0xEA, _): second >= 0xB0
        case (0xEB, _), (0xEC, _): true
        case (0xED, _): second < 0x9E
        // U+1F000 to U+1FFFF: most emoji, without the selectors and joiners between them.
        case (0xF0, 0x9F): true
        default: false
        }
    }
}
