// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Tells whether lines of a text end within a word.
package enum WordBreaks {
    /// Returns whether a line ends between two letters or digits of a script that separates its words by spaces.
    ///
    /// `lines` are those that are shown of `text`, in their order.
    package static func isBroken(lines: [String], of text: String) -> Bool {
        guard lines.count > 1 else { return false }
        var rest = Substring(text).unicodeScalars
        for line in lines.dropLast() {
            var last: Unicode.Scalar?
            for scalar in line.unicodeScalars where !scalar.properties.isBidiControl {
                while let next = rest.first, next != scalar { rest.removeFirst() }
                guard !rest.isEmpty else { return false }
                rest.removeFirst()
                last = scalar
            }
            while let next = rest.first, next.properties.isBidiControl { rest.removeFirst() }
            if let last, let next = rest.first, isPartOfWord(last), isPartOfWord(next) { return true }
        }
        return false
    }

    /// Letters, marks and digits of scripts that separate words by spaces: not Thai and its neighbours, kana, ideographs.
    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0xABFF, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFFEF, 0x1F000...0x3FFFF:
            false
        default:
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }
}
