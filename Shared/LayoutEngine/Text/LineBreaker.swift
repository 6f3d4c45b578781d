// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import WidgetSchema

/// A line breaker that uses Pango with one set of fonts.
///
/// Most texts of several lines are shaped by Pango as one line and broken by `WordWrap`, with the same result as Pango's
/// own line breaking. The others are broken by Pango.
///
/// A line breaker must be used only by the thread that created it, because Pango's objects must not be shared.
final class LineBreaker {
    private var fonts: FontSet
    private var layout: OpaquePointer
    private let attributes: OpaquePointer
    /// A Boolean value that indicates whether Pango has used a font whose metrics are incomplete.
    private var usedIncompleteFont = false
    /// The widths of the characters of a text, kept so that the array need not grow for each text.
    private var characterWidths: [Int32] = []

    /// A Boolean value that indicates whether `WordWrap` may break texts; if it is false, Pango breaks all texts.
    private let wrapsWords: Bool
    /// The emoji that can be shown; nil if all can.
    private var emoji: PixelEmoji?

    /// Creates a line breaker.
    ///
    /// A line breaker for drawing must be created and used while ``FontSet/drawingTurn`` is held. If `wrapsWords` is
    /// false, Pango breaks all texts: the lines are the same, but take longer.
    init(for purpose: FontSet.Purpose, look: TextLook = .smooth, wrapsWords: Bool = true) {
        self.wrapsWords = wrapsWords
        fonts = FontSet(for: purpose, look: look)
        emoji = look == .pixels ? PixelEmoji() : nil
        attributes = FontSet.makeAttributes()
        layout = Self.makeLayout(fonts, attributes)
    }

    private static func makeLayout(_ fonts: FontSet, _ attributes: OpaquePointer) -> OpaquePointer {
        let layout: OpaquePointer = pango_layout_new(fonts.context)
        pango_layout_set_auto_dir(layout, 1)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_attributes(layout, attributes)
        return layout
    }

    deinit {
        pango_attr_list_unref(attributes)
        fonts.release(layout)
    }

    /// Returns the lines of a text; nil if a character is in no font and `takesUnknown` is false.
    ///
    /// `question` contains the text, its font, the maximum width of a line and the maximum number of lines.
    func lines(of question: TextMemory.Question, takesUnknown: Bool = false) -> [MeasuredLine]? {
        for _ in 0..<Self.maximumRenewals {
            let lines = linesInCurrentFonts(of: question, takesUnknown: takesUnknown)
            guard usedIncompleteFont else { return lines }
            renewFonts()
        }
        return linesInCurrentFonts(of: question, takesUnknown: takesUnknown)
    }

    // MARK: Incomplete fonts

    /// The number of times that the fonts are loaded again for one text until all have their metrics.
    private static let maximumRenewals = 20

    /// Notes whether a font of a line has no width for its characters.
    ///
    /// Pango 1.50 computes this width when it first uses a font. If another thread computes the width of any other font at
    /// that moment, the font gets none for as long as it is loaded. Pango then tries fewer line breaks, so the text may be
    /// broken into different lines.
    private func checkFonts(of line: UnsafeMutablePointer<PangoLayoutLine>) {
        var next = line.pointee.runs
        while let node = next {
            next = node.pointee.next
            guard let item = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self).pointee.item,
                let font = item.pointee.analysis.font
            else { continue }
            let metrics = pango_font_get_metrics(font, item.pointee.analysis.language)
            if pango_font_metrics_get_approximate_char_width(metrics) == 0 { usedIncompleteFont = true }
            pango_font_metrics_unref(metrics)
        }
    }

    private func renewFonts() {
        usedIncompleteFont = false
        fonts.isReleasedInTurn = true
        fonts.release(layout)
        fonts = FontSet(for: fonts.purpose, look: fonts.look)
        layout = Self.makeLayout(fonts, attributes)
    }

    // MARK: Lines in the current fonts

    private func linesInCurrentFonts(of question: TextMemory.Question, takesUnknown: Bool) -> [MeasuredLine]? {
        let font = fonts.font(size: question.size, weight: question.weight, italic: question.italic)
        pango_layout_set_font_description(layout, font.description)
        let text = emoji?.shown(question.text, in: fonts.context) ?? question.text
        guard !text.isEmpty else { return [] }
        return text.string.withBytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let softHyphens = Self.softHyphens(in: bytes)
            if !softHyphens.isEmpty {
                let list = Self.attributes(of: bytes, softHyphens: softHyphens)
                pango_layout_set_attributes(layout, list)
                pango_attr_list_unref(list)
            }
            defer { if !softHyphens.isEmpty { pango_layout_set_attributes(layout, attributes) } }
            setText(bytes)
            let width = Int32((question.width * Double(PANGO_SCALE)).rounded(.down))
            let wrap =
                softHyphens.isEmpty ? wrapWords(of: bytes, width: width, maximumLines: question.maximumLines) : nil
            let count = wrap?.lines.count ?? breakText(width: width, maximumLines: question.maximumLines)
            if !takesUnknown, pango_layout_get_unknown_glyphs_count(layout) > 0 { return nil }
            var lines = wrap.map { self.lines(of: $0, in: bytes, width: width) } ?? self.lines(count, of: bytes)
            let firstBaseline = font.baseline(leading: question.leading, look: fonts.look)
            for index in lines.indices {
                lines[index].width = min(lines[index].width, question.width)
                lines[index].baseline = firstBaseline + Double(index) * question.leading
            }
            return lines
        }
    }

    private func setText(_ bytes: UnsafeRawBufferPointer) {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            pango_layout_set_text(layout, characters.baseAddress, Int32(characters.count))
        }
    }

    // MARK: Lines broken by Pango

    /// Lets Pango break the text of `layout` into lines; returns their number.
    private func breakText(width: Int32, maximumLines: Int) -> Int {
        pango_layout_set_width(layout, width)
        pango_layout_set_height(layout, -Int32(clamping: maximumLines))
        let count = min(Int(pango_layout_get_line_count(layout)), maximumLines)
        for index in 0..<count {
            if let line = pango_layout_get_line_readonly(layout, Int32(index)) { checkFonts(of: line) }
        }
        return count
    }

    /// Returns the first `count` lines of `layout`, whose text is `bytes`, without their baselines.
    private func lines(_ count: Int, of bytes: UnsafeRawBufferPointer) -> [MeasuredLine] {
        var cutLine: Int?
        var lines = (0..<count).compactMap { index -> MeasuredLine? in
            guard let line = pango_layout_get_line_readonly(layout, Int32(index)) else { return nil }
            var shown = Self.shown(line, of: bytes)
            if shown.text.utf8.contains(0xAD) { shown.text = Self.hyphenated(shown.text, isLast: index == count - 1) }
            if shown.isCut { cutLine = index }
            return MeasuredLine(text: shown.text, width: shown.width, baseline: 0, isCut: shown.isCut)
        }
        if let cutLine, lines.indices.contains(cutLine) {
            // The width of a cut line includes the space behind its ellipsis (Pango 1.50), so its text is measured
            // again.
            lines[cutLine].width = width(of: lines[cutLine].text)
        }
        return lines
    }

    // MARK: Lines broken by WordWrap

    /// The uncertainty of the width of a line, in Pango units: a quarter of a point.
    private static let uncertainty = PANGO_SCALE / 4

    /// Breaks the text of `layout`, which is `bytes`, between its words; returns nil if Pango must break it.
    ///
    /// Pango shapes the rest of a text again for each line; this method shapes the text once. Pango must break texts
    /// with parts from right to left, and texts for which `WordWrap` returns nil.
    func wrapWords(of bytes: UnsafeRawBufferPointer, width: Int32, maximumLines: Int) -> WordWrap? {
        guard wrapsWords, maximumLines > 1, Self.mayHaveWords(bytes) else { return nil }
        pango_layout_set_width(layout, -1)
        guard let line = pango_layout_get_line_readonly(layout, 0) else { return nil }
        checkFonts(of: line)
        guard readCharacterWidths(of: line, in: bytes) else { return nil }
        var count: Int32 = 0
        guard let positions = pango_layout_get_log_attrs_readonly(layout, &count),
            count == characterWidths.count + 1
        else { return nil }
        var words: [WordWrap.Word] = []
        var end = 0
        var wordWidth: Int32 = 0
        for (index, characterWidth) in characterWidths.enumerated() {
            if index > 0, positions[index].is_line_break != 0 {
                let last = bytes[end - 1]
                words.append(
                    WordWrap.Word(
                        end: end,
                        width: wordWidth,
                        space: last == 0x20 ? characterWidths[index - 1] : nil,
                        isIndependent: Self.areIndependent(bytes, at: end)
                    )
                )
                wordWidth = 0
            }
            wordWidth += characterWidth
            repeat { end += 1 } while end < bytes.count && bytes[end] & 0xC0 == 0x80
        }
        words.append(WordWrap.Word(end: bytes.count, width: wordWidth, space: nil, isIndependent: true))
        return WordWrap(words, width: width, uncertainty: Self.uncertainty, maximumLines: maximumLines)
    }

    /// Returns whether the words before and behind a position have the same widths if they are shaped alone.
    ///
    /// This is not so in three cases. Fonts have kerning for pairs such as "-V". Chinese punctuation has other widths at
    /// the end of a line. Inter has a multiplication sign for the letter in "2 x 3". So the position must be behind a
    /// space, with a letter behind it, and a letter or usual punctuation before the space. Characters outside of ASCII
    /// count as letters.
    private static func areIndependent(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
        guard position > 1, bytes[position - 1] == 0x20 else { return false }
        let last = Unicode.Scalar(bytes[position - 2])
        let isUsual = isLetterOrNonASCII(bytes[position - 2]) || ".,;:!?)".unicodeScalars.contains(last)
        return isUsual && isLetterOrNonASCII(bytes[position])
    }

    private static func isLetterOrNonASCII(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (0x41...0x5A).contains(byte & 0xDF)
    }

    /// Returns whether a text may consist of words with spaces between them.
    ///
    /// In Japanese and Korean, lines end within words, so shaping such texts once would be in vain. Chinese texts rarely
    /// have spaces.
    private static func mayHaveWords(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var hasSpace = false
        for byte in bytes {
            // The first byte of kana is 0xE3, and that of hangul 0xEA to 0xED.
            if byte == 0xE3 || (0xEA...0xED).contains(byte) { return false }
            if byte == 0x20 { hasSpace = true }
        }
        return hasSpace
    }

    /// Reads the widths of a line's characters into `characterWidths`; returns false if a part runs from right to left.
    private func readCharacterWidths(
        of line: UnsafeMutablePointer<PangoLayoutLine>,
        in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        guard pango_layout_line_get_resolved_direction(line) != PANGO_DIRECTION_RTL else { return false }
        characterWidths.removeAll(keepingCapacity: true)
        var next = line.pointee.runs
        while let node = next {
            next = node.pointee.next
            guard let run = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self),
                let item = run.pointee.item, item.pointee.analysis.level == 0
            else { return false }
            let start = characterWidths.count
            characterWidths.append(contentsOf: repeatElement(0, count: Int(item.pointee.num_chars)))
            characterWidths.withUnsafeMutableBufferPointer { widths in
                guard let first = widths.baseAddress else { return }
                bytes.withMemoryRebound(to: CChar.self) { text in
                    pango_glyph_item_get_logical_widths(run, text.baseAddress, first + start)
                }
            }
        }
        return true
    }

    /// Returns the lines of a wrapped text, without their baselines; the last one is cut if necessary.
    private func lines(of wrap: WordWrap, in bytes: UnsafeRawBufferPointer, width: Int32) -> [MeasuredLine] {
        var lines = wrap.lines.map { line in
            MeasuredLine(
                text: String(decoding: bytes[line.bytes], as: UTF8.self),
                width: Double(line.width) / Double(PANGO_SCALE),
                baseline: 0
            )
        }
        if let cutLine = wrap.cutLine {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[cutLine])
            setText(rest)
            lines += self.lines(breakText(width: width, maximumLines: 1), of: rest)
        }
        return lines
    }

    /// Returns the width of a text that is not broken into lines, in points, in the current font of `layout`.
    private func width(of text: String) -> Double {
        pango_layout_set_width(layout, -1)
        pango_layout_set_text(layout, text, Int32(clamping: text.utf8.count))
        guard let line = pango_layout_get_line_readonly(layout, 0) else { return 0 }
        var extents = PangoRectangle()
        pango_layout_line_get_extents(line, nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE)
    }

    /// Returns the visible text of a line in logical order, its width, and whether the text is cut by an ellipsis.
    ///
    /// The width does not include the space at which the line was broken.
    private static func shown(
        _ line: UnsafeMutablePointer<PangoLayoutLine>,
        of bytes: UnsafeRawBufferPointer
    ) -> (text: String, width: Double, isCut: Bool) {
        var width = 0.0
        var pieces: [Piece] = []
        var next = line.pointee.runs
        while let node = next {
            next = node.pointee.next
            guard let run = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self),
                let item = run.pointee.item
            else { continue }
            width += Double(pango_glyph_string_get_width(run.pointee.glyphs)) / Double(PANGO_SCALE)
            let start = min(max(Int(item.pointee.offset), 0), bytes.count)
            let end = min(start + max(Int(item.pointee.length), 0), bytes.count)
            let isEllipsis = item.pointee.analysis.flags & UInt8(PANGO_ANALYSIS_FLAG_IS_ELLIPSIS) != 0
            pieces.append(Piece(start: start, end: end, isEllipsis: isEllipsis))
        }
        var text = Self.text(of: pieces, in: bytes)
        // A line may begin with a word of the other direction. A mark makes it run in the direction of its paragraph,
        // even if it is shown alone.
        let direction: TextDirection =
            pango_layout_line_get_resolved_direction(line) == PANGO_DIRECTION_RTL ? .rightToLeft : .leftToRight
        if TextDirection(of: text) != direction { text.unicodeScalars.insert(direction.mark, at: text.startIndex) }
        return (text, width, pieces.contains { $0.isEllipsis })
    }

    /// Returns the positions behind the soft hyphens of a text, in bytes.
    private static func softHyphens(in bytes: UnsafeRawBufferPointer) -> [Int] {
        guard bytes.contains(0xAD) else { return [] }
        return bytes.indices.dropFirst().filter { bytes[$0] == 0xAD && bytes[$0 - 1] == 0xC2 }.map { $0 + 1 }
    }

    /// Returns the Pango attributes that allow added hyphens only at the soft hyphens of a text.
    ///
    /// By default, Pango adds a hyphen to every line that ends within a word. `softHyphens` are the positions behind
    /// the soft hyphens, in bytes.
    private static func attributes(of bytes: UnsafeRawBufferPointer, softHyphens: [Int]) -> OpaquePointer {
        let list: OpaquePointer = pango_attr_list_new()
        var start = 0
        for end in softHyphens + [bytes.count] where end > start {
            guard let attribute = pango_attr_insert_hyphens_new(0) else { continue }
            attribute.pointee.start_index = UInt32(start)
            attribute.pointee.end_index = UInt32(end)
            pango_attr_list_insert(list, attribute)
            // The attribute applies to the positions before characters, so it is not set for the next character.
            start = end + 1
            while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
        }
        return list
    }

    /// Returns the visible text of a line that contains soft hyphens.
    ///
    /// A soft hyphen at the end of the line becomes a visible hyphen, and all other soft hyphens are removed. If
    /// `isLast` is true, the line is the last line of the text, and all soft hyphens are removed.
    private static func hyphenated(_ text: String, isLast: Bool) -> String {
        let endsInHyphen = !isLast && text.unicodeScalars.last == DisplayText.softHyphen
        return text.replacing("\u{AD}", with: "") + (endsInHyphen ? String(DisplayText.hyphen) : "")
    }

    /// A part of a line in one font and direction: a range of bytes of the text, or the ellipsis that replaces cut
    /// text.
    private struct Piece {
        let start: Int
        let end: Int
        let isEllipsis: Bool
    }

    /// Returns whether bytes in UTF-8 end with a letter of Arabic or Syriac.
    private static func endsInJoiningLetter(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 1 else { return false }
        return (0xD8...0xDD).contains(bytes[bytes.count - 2]) && (0x80...0xBF).contains(bytes[bytes.count - 1])
    }

    /// Returns the text of pieces in logical order, without the spaces at the end.
    private static func text(of pieces: [Piece], in bytes: UnsafeRawBufferPointer) -> String {
        var shown: [UInt8] = []
        shown.reserveCapacity(pieces.reduce(0) { $0 + max($1.end - $1.start, 3) })
        for piece in pieces.count > 1 ? pieces.sorted(by: { $0.start < $1.start }) : pieces {
            if piece.isEllipsis {
                // If the ellipsis cuts a word, the letter before it keeps its joining form (Unicode 15, section 23.2).
                if piece.start < bytes.count, bytes[piece.start] != 0x20, endsInJoiningLetter(shown) {
                    shown.append(contentsOf: "\u{200D}".utf8)
                }
                shown.append(contentsOf: "…".utf8)
            } else {
                shown.append(contentsOf: bytes[piece.start..<piece.end])
            }
        }
        while shown.last == 0x20 { shown.removeLast() }
        return String(decoding: shown, as: UTF8.self)
    }
}
