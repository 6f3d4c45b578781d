// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view that shows text in lines; it is as high as its lines, and fills the available width unless ``isHugging`` is
/// set.
///
/// Text that does not fit ends with an ellipsis; no line is cut at its top or bottom.
struct Label: View {
    enum Alignment: Sendable {
        /// At the leading edge: left if text runs from left to right.
        case leading
        case center
        case trailing
    }

    /// The minimum width of a readable label, as a multiple of the font size.
    static let narrowest = 1.5
    /// The minimum width that a horizontal stack reserves for a flexible label, as a multiple of the font size.
    private static let comfortable = 4.0

    var text: DisplayText
    var style: LayoutFont.Style
    var weight: LayoutFont.Weight = .regular
    var italic = false
    /// The factor by which the font size of the text style is multiplied.
    var scale = 1.0
    /// The factor by which the leading of the text style is multiplied.
    var lineSpacing = 1.0
    var color = LayoutText.ColorRole.label
    var maximumLines = 1
    /// The number of lines that the label keeps while views with a lower priority can lose lines or be removed.
    var minimumLines = 1
    var alignment = Alignment.leading
    /// A Boolean value that indicates whether the label is as wide as its text, and not as the available space.
    ///
    /// Such a label is shown completely or not at all.
    var isHugging = false
    /// A Boolean value that indicates whether the label is removed if it has too little space.
    ///
    /// The label is removed if not all of its lines fit. Text beyond ``maximumLines`` is still cut.
    var isWhole = false
    /// A Boolean value that indicates whether the label keeps its font size if its text has a very long word.
    ///
    /// A very long word has more than ``WordBreaks/longestOrdinaryWord`` letters and digits. If such a word does not
    /// fit on a line, it is broken. If the value is false, smaller fonts are tried before the word is broken.
    var breaksLongWords = false
    /// Shorter texts with the same meaning, from the longest to the shortest; the first one that is not cut is shown.
    var alternatives: (LayoutEnvironment) -> [DisplayText] = { _ in [] }
    var priority = 0

    init(
        _ text: DisplayText,
        _ style: LayoutFont.Style,
        weight: LayoutFont.Weight = .regular,
        italic: Bool = false,
        scale: Double = 1,
        lineSpacing: Double = 1,
        color: LayoutText.ColorRole = .label,
        lines: Int = 1,
        minimumLines: Int = 1,
        alignment: Alignment = .leading,
        isHugging: Bool = false,
        isWhole: Bool = false,
        breaksLongWords: Bool = false,
        priority: Int = 0,
        alternatives: @escaping (LayoutEnvironment) -> [DisplayText] = { _ in [] }
    ) {
        self.text = text
        self.style = style
        self.weight = weight
        self.italic = italic
        self.scale = scale
        self.lineSpacing = lineSpacing
        self.color = color
        maximumLines = lines
        self.minimumLines = minimumLines
        self.alignment = alignment
        self.isHugging = isHugging
        self.isWhole = isWhole
        self.breaksLongWords = breaksLongWords
        self.alternatives = alternatives
        self.priority = priority
    }

    init(_ text: String, _ style: LayoutFont.Style, color: LayoutText.ColorRole = .label) {
        self.init(DisplayText(text), style, color: color)
    }

    var isFlexible: Bool { !isHugging }

    func font(in environment: LayoutEnvironment) -> LayoutFont {
        LayoutFont(
            style,
            weight,
            italic: italic,
            scale: scale * environment.typeScale,
            lineSpacing: lineSpacing,
            in: environment.contentSizeCategory
        )
    }

    func leastWidth(in environment: LayoutEnvironment) -> Double { Self.comfortable * font(in: environment).size }

    func leastHeight(of solved: SolvedView, in environment: LayoutEnvironment) -> Double {
        let lines = solved.views.first?.text?.lines.count ?? 0
        return height(of: min(lines, minimumLines), font(in: environment), environment)
    }

    /// The font scales that are tried, in this order, until no word is broken.
    private static let wordScales = [0.9, 0.8, 0.7, 0.6, 0.5]
    /// The minimum font size in points for the scales 0.6 and 0.5 of ``wordScales``.
    ///
    /// If the font would be smaller than this, the scale is not tried. Only large text styles can therefore have these
    /// scales.
    private static let smallestOfLargeType = 17.0
    /// The smallest scale that is tried if a word is longer than ``WordBreaks/longestOrdinaryWord``.
    private static let smallestScaleOfLongWords = 0.8
    /// The maximum length in bytes of a last line that is considered too short.
    ///
    /// A last line that is too short is avoided only if a word of the text is broken.
    private static let shortestLastLine = 2
    /// The factor by which the available width is multiplied if the last line of a text is too short.
    ///
    /// The text is broken into lines again with the reduced width, so that the last line becomes longer.
    private static let widthWithoutShortLine = 0.85

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        guard let solved = solveOnce(in: room, environment) else { return nil }
        guard maximumLines > 1, !isHugging, Self.breaksAWord(solved, of: text) else { return solved }
        let isLong = WordBreaks.hasLongWord(text.string)
        environment.findings?.broken += 1
        if isLong { environment.findings?.brokenLongWords += 1 }
        if isLong, breaksLongWords { return solved }
        // The text becomes smaller before a word is broken. If a word is too long at every scale, it is broken at full
        // size. A text with an unusually long word shrinks less, so that one word does not make it all small.
        for factor in Self.wordScales where !isLong || factor >= Self.smallestScaleOfLongWords {
            var smaller = self
            smaller.scale *= factor
            let smallest = factor < 0.7 ? Self.smallestOfLargeType : DynamicType.smallestSize
            guard smaller.font(in: environment).size >= smallest, let other = smaller.solveOnce(in: room, environment)
            else { continue }
            if !Self.breaksAWord(other, of: text) { return other }
        }
        return solved
    }

    /// Returns whether a line of a label ends within a word; scripts that do not separate words by spaces do not count.
    private static func breaksAWord(_ lines: [MeasuredLine], of text: DisplayText) -> Bool {
        WordBreaks.isBroken(lines: lines.map(\.text), of: text.string)
    }

    private static func breaksAWord(_ solved: SolvedView, of text: DisplayText) -> Bool {
        WordBreaks.isBroken(lines: solved.views.first?.text?.lines.map(\.text) ?? [], of: text.string)
    }

    private func solveOnce(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let font = font(in: environment)
        let fitting = (room.height + Room.tolerance) / font.leading
        let lines = fitting < Double(maximumLines) ? Int(fitting) : maximumLines
        guard lines > 0, !text.isEmpty, room.width >= Self.narrowest * font.size else { return nil }
        var measured = environment.measure(text, font: font, width: room.width, maximumLines: lines)
        if Self.isCut(measured, of: text) {
            for shorter in alternatives(environment) where !shorter.isEmpty {
                measured = environment.measure(shorter, font: font, width: room.width, maximumLines: lines)
                guard Self.isCut(measured, of: shorter) else { break }
            }
            if isHugging || isWhole && lines < maximumLines, Self.isCut(measured, of: text) { return nil }
        }
        guard !measured.isEmpty else { return nil }
        if measured.count > 1, measured[measured.count - 1].text.utf8.count <= Self.shortestLastLine,
            Self.breaksAWord(measured, of: text)
        {
            // A broken word does not leave one letter on the last line.
            let narrower = environment.measure(
                text,
                font: font,
                width: room.width * Self.widthWithoutShortLine,
                maximumLines: lines
            )
            if narrower.count == measured.count, !Self.isCut(narrower, of: text) { measured = narrower }
        }
        let grid = environment.area.grid
        func lineWidth(_ line: MeasuredLine) -> Double { min(grid.up(line.width), room.width) }
        let width = isHugging ? measured.reduce(0) { max($0, lineWidth($1)) } : room.width
        let size = Size(width: width, height: height(of: measured.count, font, environment))
        let textLines = measured.map { line in
            let lineWidth = lineWidth(line)
            let x: Double =
                switch alignment {
                case .leading: 0
                case .center: grid.down((width - lineWidth) / 2)
                case .trailing: width - lineWidth
                }
            return TextLine(text: line.text, x: x, baseline: grid.nearest(line.baseline), width: lineWidth)
        }
        let view = LayoutView(
            kind: .label,
            frame: Rectangle(x: 0, y: 0, width: size.width, height: size.height),
            text: LayoutText(lines: textLines, font: font, color: color)
        )
        return SolvedView(size: size, views: [view])
    }

    /// Returns whether the lines show only the beginning of the text, followed by an ellipsis.
    static func isCut(_ lines: [MeasuredLine], of text: DisplayText) -> Bool {
        guard let last = lines.last else { return false }
        return endsInEllipsis(last.text) && !endsInEllipsis(text.string)
    }

    /// Returns whether a text ends with an ellipsis.
    ///
    /// The function compares bytes, because comparing characters takes longer.
    static func endsInEllipsis(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            let ellipsis = "…".utf8
            return bytes.last == 0xA6 && bytes.suffix(ellipsis.count).elementsEqual(ellipsis)
        }
    }

    private func height(of lines: Int, _ font: LayoutFont, _ environment: LayoutEnvironment) -> Double {
        environment.area.grid.up(Double(lines) * font.leading)
    }
}
