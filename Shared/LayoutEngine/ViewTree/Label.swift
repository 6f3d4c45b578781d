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
    /// The number of lines that the label gets before views with a lower priority in the same stack get any height.
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
    /// A Boolean value that indicates whether the label keeps its font size even if an ordinary word is broken.
    ///
    /// An ordinary word has at most ``WordBreaks/longestOrdinaryWord`` letters and digits. The value is true for labels
    /// that share one font size, such as the titles of a table's rows.
    var keepsSize = false
    /// A Boolean value that indicates whether the parts of a broken word have similar lengths.
    ///
    /// If the value is false, each part except the last one is as long as possible. The parts become shorter only if
    /// the last line would otherwise have fewer than ``shortestEnd`` characters.
    var balancesParts = false
    /// A Boolean value that indicates whether the lines have similar lengths, if there are several.
    var balancesLines = false
    /// Shorter texts with the same meaning, from the longest to the shortest; the first one that is not cut is shown.
    var alternatives: (LayoutEnvironment) -> [DisplayText] = { _ in [] }
    var priority = 0
    /// The lines of the text if they were measured before, so that they need not be looked up again.
    var measuredText: MeasuredText?
    /// The font of the label, whatever the text size is; nil for the font of ``style``.
    var exactFont: LayoutFont?

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
        keepsSize: Bool = false,
        balancesParts: Bool = false,
        balancesLines: Bool = false,
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
        self.keepsSize = keepsSize
        self.balancesParts = balancesParts
        self.balancesLines = balancesLines
        self.alternatives = alternatives
        self.priority = priority
    }

    /// Creates a label with a font that does not depend on the text size; a word that is too long is broken.
    init(
        _ text: DisplayText,
        font: LayoutFont,
        color: LayoutText.ColorRole = .label,
        lines: Int = 1,
        alignment: Alignment = .leading,
        isHugging: Bool = false
    ) {
        self.init(
            text,
            font.style,
            color: color,
            lines: lines,
            alignment: alignment,
            isHugging: isHugging,
            keepsSize: true
        )
        exactFont = font
    }

    var isFlexible: Bool { !isHugging }

    /// A copy of the label that is only as wide as its text.
    var hugging: Label {
        var label = self
        label.isHugging = true
        return label
    }

    func font(in environment: LayoutEnvironment) -> LayoutFont {
        if let exactFont { return exactFont }
        return LayoutFont(
            style,
            weight,
            italic: italic,
            scale: scale,
            typeScale: environment.typeScale,
            lineSpacing: lineSpacing,
            in: environment.contentSizeCategory
        )
    }

    func leastWidth(in environment: LayoutEnvironment) -> Double { Self.comfortable * font(in: environment).size }

    func leastHeight(of solved: SolvedView, in environment: LayoutEnvironment) -> Double {
        let lines = solved.views.first?.text?.lines.count ?? 0
        return height(of: min(lines, minimumLines), font(in: environment), environment)
    }

    /// The smallest font scale that is tried to keep a word whole.
    private static let smallestScaleOfWords = 0.5

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        solveLabel(in: room, environment)?.solvedView
    }

    /// Returns the lines of the label for the available space; nil if it shows nothing.
    func solveLabel(in room: Room, _ environment: LayoutEnvironment) -> SolvedLabel? {
        guard let solved = solveOnce(in: room, environment) else { return nil }
        // A broken word matters only if the label can become smaller or if broken words are counted.
        guard maximumLines > 1, !isHugging, !keepsSize || environment.findings != nil,
            Self.breaksAWord(solved, of: text)
        else { return solved }
        let isLong = WordBreaks.hasLongWord(text.string)
        environment.findings?.broken += 1
        if isLong { environment.findings?.brokenLongWords += 1 }
        // The text becomes smaller before an ordinary word is broken. If a word is too long at every scale, it is
        // broken at full size. A very long word is always broken at full size, so that it does not make the text small.
        if keepsSize || isLong && !hasShortEnd(solved) { return solved }
        let size = font(in: environment).size
        let least = size * (isLong ? Self.smallestScaleOfLongWords : Self.smallestScaleOfWords)
        for smallerSize in TypeLadder.descending(below: size, atLeast: least) {
            var smaller = self
            smaller.scale *= smallerSize / size
            guard let other = smaller.solveOnce(in: room, environment)
            else { continue }
            if isLong ? !hasShortEnd(other) : !Self.breaksAWord(other, of: text) { return other }
        }
        return solved
    }

    /// The smallest font scale that is tried for a text with a long word.
    ///
    /// A long word has more than ``WordBreaks/longestOrdinaryWord`` letters and digits. The font of such a text becomes
    /// smaller only if the last line would otherwise have fewer than ``shortestEnd`` characters.
    static let smallestScaleOfLongWords = 0.8
    /// The minimum number of characters on the last line if it is the end of a broken word.
    ///
    /// If neither narrower lines nor smaller fonts help, the last line is shorter.
    static let shortestEnd = 4
    /// The factors by which the width of the lines is multiplied, in the order in which they are tried.
    ///
    /// Narrower lines have space for less text, so the last line becomes longer.
    private static let narrowerWidths = [0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55]

    /// Returns whether the last line is the end of a broken word, and has fewer than ``shortestEnd`` characters.
    ///
    /// `last` is the text of the last line.
    private static func hasShortEnd(_ last: String?, of text: DisplayText) -> Bool {
        guard let last, !isSpaceBefore(last, in: text), last.count < shortestEnd, text.string.hasSuffix(last) else {
            return false
        }
        return text.string.dropLast(last.count).last.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// Returns whether the byte before the end of a text is a space, if the text ends with `last`.
    ///
    /// This is true for most last lines. Unlike counting characters, the check takes constant time.
    private static func isSpaceBefore(_ last: String, in text: DisplayText) -> Bool {
        let bytes = text.string.utf8
        guard let index = bytes.index(bytes.endIndex, offsetBy: -last.utf8.count - 1, limitedBy: bytes.startIndex)
        else { return false }
        return bytes[index] == UInt8(ascii: " ")
    }

    private func hasShortEnd(_ solved: SolvedLabel) -> Bool {
        Self.hasShortEnd(solved.text.lines.last?.text, of: text)
    }

    /// Returns the text in narrower lines that are as many as `lines`, or `lines` if these are better.
    ///
    /// `lines` are the lines of ``text`` at the full width. If ``balancesLines`` is true, the result has the smallest of
    /// the ``narrowerWidths`` at which no word is broken. Otherwise, the result is `lines` if no word is broken, or if
    /// ``balancesParts`` is false and the last line is long enough. If ``balancesParts`` is true, the result has the
    /// smallest width at which the whole text is shown. Otherwise, it has the largest width at which the end of a broken
    /// word has at least ``shortestEnd`` characters.
    private func balanced(
        _ lines: [MeasuredLine],
        _ font: LayoutFont,
        width: Double,
        _ environment: LayoutEnvironment
    ) -> [MeasuredLine] {
        func hasShortEnd(_ lines: [MeasuredLine]) -> Bool { Self.hasShortEnd(lines.last?.text, of: text) }
        guard lines.count > 1,
            balancesLines
                ? !Self.isCut(lines) : (balancesParts || hasShortEnd(lines)) && Self.breaksAWord(lines, of: text)
        else { return lines }
        var best = lines
        for factor in Self.narrowerWidths {
            let other = environment.measure(text, font: font, width: width * factor, maximumLines: lines.count)
            guard other.count == lines.count, !Self.isCut(other),
                !balancesLines || !Self.breaksAWord(other, of: text)
            else { break }
            best = other
            if !balancesLines, !balancesParts, !hasShortEnd(other) { return other }
        }
        return balancesLines || balancesParts ? best : lines
    }

    /// Returns whether a line of a label ends within a word; scripts that do not separate words by spaces do not count.
    private static func breaksAWord(_ lines: [MeasuredLine], of text: DisplayText) -> Bool {
        WordBreaks.isBroken(lines: lines.lazy.map(\.text), of: text.string)
    }

    private static func breaksAWord(_ solved: SolvedLabel, of text: DisplayText) -> Bool {
        WordBreaks.isBroken(lines: solved.text.lines.lazy.map(\.text), of: text.string)
    }

    private func solveOnce(in room: Room, _ environment: LayoutEnvironment) -> SolvedLabel? {
        let font = font(in: environment)
        let fitting = (room.height + Room.tolerance) / font.leading
        let lines = fitting < Double(maximumLines) ? Int(fitting) : maximumLines
        guard lines > 0, !text.isEmpty, room.width >= Self.narrowest * font.size else { return nil }
        var measured =
            measuredText?.lines(font: font, width: room.width, maximumLines: lines)
            ?? environment.measure(text, font: font, width: room.width, maximumLines: lines)
        if Self.isCut(measured) {
            for shorter in alternatives(environment) where !shorter.isEmpty {
                measured = environment.measure(shorter, font: font, width: room.width, maximumLines: lines)
                guard Self.isCut(measured) else { break }
            }
            if isHugging || isWhole && lines < maximumLines, Self.isCut(measured) { return nil }
        }
        guard !measured.isEmpty else { return nil }
        measured = balanced(measured, font, width: room.width, environment)
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
        return SolvedLabel(
            size: size,
            text: LayoutText(lines: textLines, font: font, color: color),
            completeness: Self.isCut(measured) ? .cut : .whole
        )
    }

    /// Returns whether the lines show only the beginning of a text, followed by an ellipsis.
    static func isCut(_ lines: [MeasuredLine]) -> Bool { lines.last?.isCut ?? false }

    /// Returns whether a text ends with an ellipsis.
    ///
    /// The function compares bytes, because comparing characters takes longer.
    static func endsInEllipsis(_ text: String) -> Bool {
        text.withBytes { bytes in
            let ellipsis = "…".utf8
            return bytes.last == 0xA6 && bytes.suffix(ellipsis.count).elementsEqual(ellipsis)
        }
    }

    private func height(of lines: Int, _ font: LayoutFont, _ environment: LayoutEnvironment) -> Double {
        environment.area.grid.up(Double(lines) * font.leading)
    }
}

/// The size and the lines of a label.
struct SolvedLabel {
    let size: Size
    let text: LayoutText
    let completeness: SolvedView.Completeness

    var solvedView: SolvedView {
        SolvedView(size: size, views: [view(x: 0, y: 0)], completeness: completeness)
    }

    /// Returns the view of the label with its top left corner at `x` and `y`, in points.
    func view(x: Double, y: Double) -> LayoutView {
        LayoutView(
            kind: .label,
            frame: Rectangle(x: x, y: y, width: size.width, height: size.height),
            text: text
        )
    }
}
