// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The detection of line breaks within words.
package enum WordBreaks {
    /// The maximum number of letters and digits in an ordinary word; longer words may be broken.
    package static let longestOrdinaryWord = 16

    /// Returns whether a text has a word of more than ``longestOrdinaryWord`` letters and digits.
    package static func hasLongWord(_ text: String) -> Bool {
        // In most texts, no part between two spaces has so many bytes. Counting bytes is much faster.
        guard hasLongPart(text) else { return false }
        return text.split { !$0.isLetter && !$0.isNumber }.contains { $0.count > longestOrdinaryWord }
    }

    /// Returns whether a part between two spaces has more than ``longestOrdinaryWord`` bytes in UTF-8.
    private static func hasLongPart(_ text: String) -> Bool {
        text.withBytes { bytes in
            var length = 0
            for byte in bytes {
                length = isSpace(byte) ? 0 : length + 1
                if length > longestOrdinaryWord { return true }
            }
            return false
        }
    }

    /// Returns whether a line ends within a word or number; scripts without spaces between words do not count.
    ///
    /// `lines` are the visible lines of `text` in order.
    package static func isBroken(lines: some BidirectionalCollection<String>, of text: String) -> Bool {
        guard lines.count > 1 else { return false }
        return isBrokenUnchanged(lines: lines, of: text) ?? isBrokenChanged(lines: lines, of: text)
    }

    /// Returns whether a line ends within a word; nil if this fast check, which compares bytes, cannot decide.
    ///
    /// The check cannot decide if a line is not an unchanged part of the text, or if there is an invisible direction
    /// mark where the line ends.
    private static func isBrokenUnchanged(lines: some BidirectionalCollection<String>, of text: String) -> Bool? {
        text.withBytes { bytes in
            var position = 0
            for line in lines.dropLast() {
                while position < bytes.count, isSpace(bytes[position]) { position += 1 }
                let rest = UnsafeBufferPointer(rebasing: bytes[position...])
                guard line.withBytes({ $0.isPrefix(of: rest) }) else { return nil }
                position += line.utf8.count
                // Most lines end before a space.
                guard position < bytes.count, !isSpace(bytes[position]) else { continue }
                let end = Array(line.unicodeScalars.suffix(2))
                let next = String(decoding: bytes[position...].prefix(2 * longestScalar), as: UTF8.self)
                let start = Array(next.unicodeScalars.prefix(2))
                if (end + start).contains(where: isBidiControl) { return nil }
                if continues(end, start) { return true }
            }
            return false
        }
    }

    /// The maximum number of bytes of a Unicode scalar in UTF-8 (RFC 3629).
    private static let longestScalar = 4

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }

    /// Returns whether a line ends within a word of `text`.
    ///
    /// The lines need not be exact parts of the text: they may lack characters, and contain additional direction marks.
    private static func isBrokenChanged(lines: some BidirectionalCollection<String>, of text: String) -> Bool {
        var rest = text.unicodeScalars.filter { !isBidiControl($0) }[...]
        for line in lines.dropLast() {
            var end: [Unicode.Scalar] = []
            for scalar in line.unicodeScalars where !isBidiControl(scalar) {
                // The line ends with the hyphen of a soft hyphen in the text.
                if scalar == DisplayText.hyphen, rest.first == DisplayText.softHyphen {
                    end = []
                    continue
                }
                while let next = rest.first, next != scalar { rest.removeFirst() }
                guard !rest.isEmpty else { return false }
                rest.removeFirst()
                end = end.suffix(1) + [scalar]
            }
            if continues(end, Array(rest.prefix(2))) { return true }
        }
        return false
    }

    /// Returns whether a word, or a number with separators such as `192.0.2.1` or `12:30`, continues on the next line.
    ///
    /// `end` contains the last two scalars of a line. `start` contains the first two scalars of the next line. Each
    /// array has fewer elements if there are not so many scalars.
    private static func continues(_ end: [Unicode.Scalar], _ start: [Unicode.Scalar]) -> Bool {
        guard let last = end.last, let first = start.first else { return false }
        if isPartOfWord(last), isPartOfWord(first) { return true }
        if isSeparator(first) { return isDigit(last) && start.count > 1 && isDigit(start[1]) }
        return isSeparator(last) && isDigit(first) && end.count > 1 && isDigit(end[0])
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType == .decimal }

    /// Returns whether a scalar can separate parts of a number, as a full stop or an Arabic decimal separator does.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", ",", ":", "\u{066B}", "\u{066C}": true
        default: false
        }
    }

    /// Returns whether a scalar has Unicode's property `Bidi_Control`; the standard library's getter is much slower.
    private static func isBidiControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Returns whether a scalar is a letter, mark or digit of a script that separates words by spaces.
    ///
    /// Thai and similar scripts, kana and ideographs do not separate words by spaces. Marks of all other scripts count,
    /// even without Unicode's property `Alphabetic`. An example is the virama of Indic scripts.
    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0xABFF, 0xF900...0xFAFF, 0xFE00...0xFE0F,
            0xFE30...0xFE4F, 0xFF00...0xFFEF, 0x1F000...0x3FFFF:
            return false
        default: break
        }
        if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { return true }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }
}
