// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The lines of a text that is broken between its words, computed from the widths of the words.
///
/// Each line gets as many words as fit, as in Pango. Widths are in Pango units (`PANGO_SCALE` for a point).
struct WordWrap {
    /// The characters between two positions at which a line may end.
    struct Word {
        /// The position behind the word and its space, in bytes of the text.
        var end: Int
        /// The width, with the space at the end.
        var width: Int32
        /// The width of the space at the end; nil if the word ends without a space, for example with a hyphen.
        var space: Int32?
        /// A Boolean value that indicates whether this word and the next one have the same widths on separate lines as
        /// on one line.
        var isIndependent: Bool

        fileprivate var widthWithoutSpace: Int32 { width - (space ?? 0) }
    }

    /// A line as a range of bytes of the text, without the space at its end, and its width.
    struct Line: Equatable {
        var bytes: Range<Int>
        var width: Int32
    }

    /// The lines that contain whole words.
    private(set) var lines: [Line] = []
    /// The bytes of the last allowed line, which must be cut; nil if all words are in `lines`.
    ///
    /// The range ends early if the rest of the text is much longer than the line.
    private(set) var cutLine: Range<Int>?

    /// Fills lines of at most `width` with the words of a text; returns nil if Pango must break the text.
    ///
    /// Pango must break it if a word is longer than a line, if a line would end behind a word that is not independent, or
    /// if a line and the width differ by less than `uncertainty`.
    init?(_ words: [Word], width: Int32, uncertainty: Int32, maximumLines: Int) {
        var start = 0
        var lineWidth: Int32 = 0
        var previous: Word?
        for (index, word) in words.enumerated() {
            let extended = lineWidth + word.widthWithoutSpace
            if extended > width {
                guard extended - width >= uncertainty, let last = previous, last.isIndependent else { return nil }
                if lines.count == maximumLines - 1 {
                    cutLine = start..<Self.endOfCutLine(words[index...], after: lineWidth, beyond: width + width / 2)
                    return
                }
                let line = Line(bytes: start..<last.end, width: lineWidth)
                guard append(line, endingWith: last, maximumWidth: width - uncertainty) else { return nil }
                start = last.end
                lineWidth = 0
                guard word.widthWithoutSpace <= width else { return nil }
            }
            lineWidth += word.width
            previous = word
        }
        guard let previous else { return nil }
        let line = Line(bytes: start..<previous.end, width: lineWidth)
        guard append(line, endingWith: previous, maximumWidth: width - uncertainty) else { return nil }
    }

    /// Appends a line without the space of its last word; returns false if it is wider than `maximumWidth`.
    private mutating func append(_ line: Line, endingWith last: Word, maximumWidth: Int32) -> Bool {
        var line = line
        if let space = last.space {
            line.bytes = line.bytes.lowerBound..<(line.bytes.upperBound - 1)
            line.width -= space
        }
        guard line.width <= maximumWidth else { return false }
        lines.append(line)
        return true
    }

    /// Returns the end of the first of these words that makes a line longer than `limit`, or else the end of all.
    private static func endOfCutLine(_ words: ArraySlice<Word>, after width: Int32, beyond limit: Int32) -> Int {
        var width = width
        for word in words {
            width += word.width
            if width > limit { return word.end }
        }
        return words.last?.end ?? 0
    }
}
