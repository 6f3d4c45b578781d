// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import WidgetSchema

/// A line breaker that uses Pango with one set of fonts.
///
/// A line breaker must be used only by the thread that created it, because Pango's objects must not be shared.
final class LineBreaker {
    private let fonts: FontSet
    private let layout: OpaquePointer
    private let attributes: OpaquePointer

    /// Creates a line breaker.
    ///
    /// A line breaker for drawing must be created and used while ``FontSet/drawingTurn`` is held.
    init(for purpose: FontSet.Purpose) {
        fonts = FontSet(for: purpose)
        layout = pango_layout_new(fonts.context)
        pango_layout_set_auto_dir(layout, 1)
        pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        attributes = FontSet.makeAttributes()
        pango_layout_set_attributes(layout, attributes)
    }

    deinit {
        pango_attr_list_unref(attributes)
        fonts.release(layout)
    }

    /// Returns the lines of a text; nil if a character is in no font and `takesUnknown` is false.
    ///
    /// `question` contains the text, its font, the maximum width of a line and the maximum number of lines.
    func lines(of question: TextMemory.Question, takesUnknown: Bool = false) -> [MeasuredLine]? {
        let font = fonts.font(size: question.size, weight: question.weight, italic: question.italic)
        pango_layout_set_font_description(layout, font.description)
        pango_layout_set_width(layout, Int32((question.width * Double(PANGO_SCALE)).rounded(.down)))
        pango_layout_set_height(layout, -Int32(clamping: question.maximumLines))
        return question.text.string.withBytes { bytes in
            let softHyphens = Self.softHyphens(in: UnsafeRawBufferPointer(bytes))
            if !softHyphens.isEmpty {
                let list = Self.attributes(of: UnsafeRawBufferPointer(bytes), softHyphens: softHyphens)
                pango_layout_set_attributes(layout, list)
                pango_attr_list_unref(list)
            }
            defer { if !softHyphens.isEmpty { pango_layout_set_attributes(layout, attributes) } }
            bytes.withMemoryRebound(to: CChar.self) { characters in
                pango_layout_set_text(layout, characters.baseAddress, Int32(characters.count))
            }
            let count = min(Int(pango_layout_get_line_count(layout)), question.maximumLines)
            if !takesUnknown, pango_layout_get_unknown_glyphs_count(layout) > 0 { return nil }
            return lines(count, of: UnsafeRawBufferPointer(bytes), question, font)
        }
    }

    private func lines(
        _ count: Int,
        of bytes: UnsafeRawBufferPointer,
        _ question: TextMemory.Question,
        _ font: FontSet.Font
    ) -> [MeasuredLine] {
        let firstBaseline = (question.leading - font.ascent - font.descent) / 2 + font.ascent
        var cutLine: Int?
        var lines = (0..<count).compactMap { index -> MeasuredLine? in
            guard let line = pango_layout_get_line_readonly(layout, Int32(index)) else { return nil }
            var shown = Self.shown(line, of: bytes)
            if shown.text.utf8.contains(0xAD) { shown.text = Self.hyphenated(shown.text, isLast: index == count - 1) }
            if shown.isCut { cutLine = index }
            return MeasuredLine(
                text: shown.text,
                width: min(shown.width, question.width),
                baseline: firstBaseline + Double(index) * question.leading,
                isCut: shown.isCut
            )
        }
        if let cutLine, lines.indices.contains(cutLine) {
            // The width of a cut line includes the space behind its ellipsis (Pango 1.50), so its text is measured
            // again.
            lines[cutLine].width = min(width(of: lines[cutLine].text), question.width)
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
