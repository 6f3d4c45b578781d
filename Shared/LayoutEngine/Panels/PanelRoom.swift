// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// An area of a panel, with the type in which it is filled.
///
/// All positions are those of text that runs from left to right; ``PanelLayout`` mirrors the result for other scripts.
struct PanelRoom {
    let environment: LayoutEnvironment
    let type: PanelType
    /// The area in pixels from the top left corner of the panel.
    var frame: Rectangle

    var bottom: Double { frame.y + frame.height }
    var right: Double { frame.x + frame.width }

    /// A Boolean value that indicates whether somebody can tap the panel; panels of earlier versions can be tapped.
    var isInteractive: Bool { !environment.display.isPassive }

    /// Returns the area without a part at its top.
    func below(_ height: Double) -> PanelRoom {
        var room = self
        room.frame.y += height
        room.frame.height = max(frame.height - height, 0)
        return room
    }

    /// Returns an action if somebody can tap the panel.
    func action(_ action: @autoclosure () -> LayoutAction?) -> LayoutAction? { isInteractive ? action() : nil }

    /// Returns the lines of a text in a step of the ladder; nil if the width holds no letters.
    func label(
        _ text: DisplayText,
        _ step: PanelType.Step,
        _ weight: LayoutFont.Weight = .regular,
        width: Double,
        lines: Int = 1,
        alignment: Label.Alignment = .leading,
        color: LayoutText.ColorRole = .label
    ) -> PanelLabel? {
        guard width >= 1, lines > 0 else { return nil }
        let font = type.font(step, self.weight(of: text, step, weight))
        let label = Label(text, font: font, color: color, lines: lines, alignment: alignment)
        guard let solved = label.solveLabel(in: Room(width: width, height: Double(lines) * font.leading), environment)
        else { return nil }
        return PanelLabel(solved, of: text, alignment)
    }

    /// Returns the width of a text on one line, in whole pixels.
    func width(of text: DisplayText, _ step: PanelType.Step, _ weight: LayoutFont.Weight = .regular) -> Double {
        environment.width(of: text, font: type.font(step, self.weight(of: text, step, weight)))
    }

    /// The size in pixels below which bold ideographs and Indic letters are blots without antialiasing.
    static let leastBold = 15.0

    /// Returns the weight in which a text is legible: bold, unless its letters have too many strokes for their size.
    private func weight(
        of text: DisplayText,
        _ step: PanelType.Step,
        _ weight: LayoutFont.Weight
    ) -> LayoutFont.Weight {
        guard weight != .regular, type.length(step.rawValue) < Self.leastBold, environment.display.isSharp,
            text.string.unicodeScalars.contains(where: Self.isDense)
        else { return weight }
        return .regular
    }

    /// Returns whether a scalar is an ideograph, a Korean syllable or an Indic letter.
    static func isDense(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0900...0x0DFF, 0x3400...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x2_0000...0x3_FFFF: true
        default: false
        }
    }

    /// Returns a symbol with its top left corner at `x` and `y`.
    func symbol(
        _ name: String,
        side: Double,
        x: Double,
        y: Double,
        color: LayoutText.ColorRole = .label
    ) -> LayoutView {
        LayoutView(
            kind: .image,
            frame: Rectangle(x: x, y: y, width: side, height: side),
            image: LayoutImage(symbol: name, color: color)
        )
    }

    /// Returns a rule across the area with its upper edge at `y`.
    func rule(y: Double) -> LayoutView {
        LayoutView(kind: .rule, frame: Rectangle(x: frame.x, y: y, width: frame.width, height: type.line))
    }

    /// Returns a dotted line between two columns.
    func dots(x: Double, y: Double, height: Double) -> LayoutView {
        LayoutView(kind: .dots, frame: Rectangle(x: x, y: y, width: type.line, height: height))
    }
}

extension Display {
    /// A Boolean value that indicates whether letters are drawn without antialiasing.
    var isSharp: Bool { panel.map { $0.hasFewColors && !$0.isAntialiased } ?? false }
}

/// A content, or a sentence, in an area of a panel.
protocol PanelView {
    /// The views of the content; nil if the area is too small for anything complete.
    var body: PanelBody? { get }
}

/// The views below the title bar of a panel, in its coordinates, with the ids of its rows.
struct PanelBody {
    var views: [LayoutView]
    var rowIDs: [String] = []
}

/// A text in its lines.
struct PanelLabel {
    private let solved: SolvedLabel
    private let alignment: Label.Alignment
    /// A Boolean value that indicates whether the end of the text is missing.
    let isCut: Bool
    /// A Boolean value that indicates whether a word of ordinary length is broken.
    let breaksWord: Bool
    let breaksAnyWord: Bool

    fileprivate init(_ solved: SolvedLabel, of text: DisplayText, _ alignment: Label.Alignment) {
        self.solved = solved
        self.alignment = alignment
        isCut = solved.completeness == .cut
        breaksAnyWord = WordBreaks.isBroken(lines: solved.text.lines.lazy.map(\.text), of: text.string)
        breaksWord = breaksAnyWord && !WordBreaks.hasLongWord(text.string)
    }

    /// A Boolean value that indicates whether the whole text is shown, without a broken word of ordinary length.
    var isWhole: Bool { !isCut && !breaksWord }
    var height: Double { solved.size.height }
    var lines: Int { solved.text.lines.count }
    /// A Boolean value that indicates whether the last line of several is one letter.
    var endsWithOneLetter: Bool {
        guard let last = solved.text.lines.dropFirst().last else { return false }
        return last.text.count { $0.isLetter || $0.isNumber } <= 1
    }
    /// The width of the longest line.
    var width: Double { solved.text.lines.reduce(0) { max($0, $1.width) } }
    /// The distance from the top to the first baseline.
    var baseline: Double { solved.text.lines.first?.baseline ?? 0 }

    /// Returns whether the text is whole, and does not end in a line of one letter that a smaller step avoids.
    func isGood(in step: PanelType.Step, of type: PanelType) -> Bool {
        isWhole && (!endsWithOneLetter || step == type.smallest)
    }

    /// Returns the view with its top left corner at `x` and `y`.
    ///
    /// A label at the leading edge is as wide as its text.
    func view(x: Double, y: Double) -> LayoutView {
        var view = solved.view(x: x, y: y)
        if alignment == .leading { view.frame.width = width }
        return view
    }

    /// Returns the view of a text of one line whose trailing edge is at `x`.
    func view(trailing x: Double, y: Double) -> LayoutView { view(x: x - width, y: y) }
}
