// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Functions for the number of terminal columns that a text needs (Unicode Standard Annex 11).
///
/// Characters of ambiguous width count as one column. A character is a grapheme cluster, and is never cut.
enum CharacterWidth {
    /// The code points of the characters that are two columns wide: East Asian scripts, full-width forms, pictographs.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18D08, 0x1AFF0...0x1B2FB, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD,
    ]
    /// The vowels and final consonants that follow the first letter of a Korean syllable, and join it.
    private static let joiningLetters: ClosedRange<UInt32> = 0x1160...0x11FF

    static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

    /// Returns the columns of a character.
    ///
    /// An emoji has two columns, however many code points it consists of. Any other character has the columns of all
    /// its code points: terminals draw the letters of an Indic conjunct beside one another.
    static func columns(of character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
        return scalars.reduce(0) { $0 + columns(of: $1) }
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        // Most texts are ASCII.
        if (0x20..<0x7F).contains(scalar.value) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control: return 0
        case .format: return scalar == "\u{AD}" ? 1 : 0
        default: break
        }
        if joiningLetters.contains(scalar.value) { return 0 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Returns the text, cut to at most `width` columns; a cut text ends with `ellipsis`.
    ///
    /// The columns of `ellipsis` count as part of `width`. If `width` is positive but too small for `ellipsis`, the
    /// whole `ellipsis` is returned in place of a text that must be cut. If `width` is 0, the result is empty.
    static func shorten(_ text: String, to width: Int, ellipsis: String = "…") -> String {
        guard columns(of: text) > width else { return text }
        var result = ""
        var left = width - columns(of: ellipsis)
        for character in text {
            left -= columns(of: character)
            guard left >= 0 else { break }
            result.append(character)
        }
        return width > 0 ? result + ellipsis : ""
    }
}
