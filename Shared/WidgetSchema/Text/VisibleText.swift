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
    /// The check looks at bytes only. It recognises texts of Latin letters without combining marks, of Cyrillic letters,
    /// of kana and of ideographs, with their usual punctuation.
    private static func mayChange(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                let first = bytes[index]
                if first < 0xCC {
                    // Below U+0300. Continuation bytes are below 0xC0.
                    index += 1
                } else if first == 0xD0 || first == 0xD1 {
                    index += 2
                } else if first >= 0xE4, first <= 0xE9 {
                    index += 3
                } else if first == 0xE2 || first == 0xE3, index + 2 < bytes.count {
                    guard isStable(first, bytes[index + 1], bytes[index + 2]) else { return true }
                    index += 3
                } else {
                    return true
                }
            }
            return false
        }
    }

    /// Returns whether three bytes of UTF-8 are a dash, a quotation mark, a currency sign, a kana or the like.
    private static func isStable(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second) {
        // U+2010 to U+2027, U+2030 to U+203F.
        case (0xE2, 0x80): (0x90...0xA7).contains(third) || third >= 0xB0
        // U+20A0 to U+20BF.
        case (0xE2, 0x82): third >= 0xA0
        // U+3000 to U+3029, U+3040 to U+3098, U+309B to U+30FF.
        case (0xE3, 0x80): third < 0xAA
        case (0xE3, 0x81), (0xE3, 0x83): true
        case (0xE3, 0x82): third != 0x99 && third != 0x9A
        default: false
        }
    }
}
