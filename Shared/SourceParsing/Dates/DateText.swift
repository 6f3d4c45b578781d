// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A function that simplifies the characters of a date before it is parsed.
enum DateText {
    /// Returns a date with ASCII digits, ASCII punctuation and simple spaces, without white space at its ends.
    ///
    /// Digits of all scripts become ASCII digits, so `٥` and `५` become `5`. Full-width characters become their ASCII
    /// forms. Format characters, such as marks for the writing direction, are removed.
    static func simplified(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return PlainText.trimmed(text) }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let simple = simplified(scalar) { result.append(simple) }
        }
        return PlainText.trimmed(String(result))
    }

    /// Returns the simple form of a character; nil if the character is removed.
    private static func simplified(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0..<0x80: return scalar
        // Invisible characters, and the signs of abbreviations in Devanagari and Hebrew.
        case 0xad, 0x61c, 0x200b...0x200f, 0x202a...0x202e, 0x2060...0x2069, 0xfeff, 0x5f3, 0x970: return nil
        // Hyphens and the minus sign; dashes separate the date from the time.
        case 0x2010, 0x2011, 0x2212: return "-"
        case 0x2019, 0x2bc: return "'"
        // The commas of Arabic and Chinese, and the full stop of Chinese.
        case 0x60c, 0x3001, 0x3002, 0x30fb: return ","
        case 0xff01...0xff5e: return Unicode.Scalar(scalar.value - 0xfee0)
        default: break
        }
        if PlainText.isSpace(scalar.value) { return " " }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else {
            return scalar
        }
        return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
    }
}
