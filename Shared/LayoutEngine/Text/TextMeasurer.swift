// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
public import WidgetSchema

/// A text measurer that uses Pango, as drawing does, for shaping, bidirectional order, font fallback, and the positions at
/// which lines may end.
///
/// Baselines depend only on the primary font and the text style's leading, because Pango's own line height grows if a
/// line mixes fonts. A measurer must be used only by the thread that created it, because Pango's objects must not be
/// shared.
public final class TextMeasurer: TextMeasuring {
    private let breaker = LineBreaker(for: .measuring)
    /// The line breaker for the look of pixels, which many services never need.
    private lazy var pixelBreaker = LineBreaker(for: .measuring, look: .pixels)
    /// The line breakers for texts with characters that no font has.
    ///
    /// Most threads never need them. The lock ``FontSet/drawingTurn`` must be held while the line breakers are used.
    private lazy var turnTaker = LineBreaker(for: .drawing)
    private lazy var pixelTurnTaker = LineBreaker(for: .drawing, look: .pixels)
    /// The stored lines of measured texts; nil if every text is measured again.
    private let memory: TextMemory?

    public init(memory: TextMemory? = TextMemory()) { self.memory = memory }

    /// Loads the fonts that most texts need.
    ///
    /// This takes as long as measuring a thousand lines.
    public func warmUp() {
        for weight in LayoutFont.Weight.allCases {
            let font = LayoutFont(.body, weight, in: .large)
            _ = lines(of: question(DisplayText("Aä שם 日本 👍 …"), font, 50, 1, .smooth))
        }
    }

    public func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        measure(text, font: font, width: width, maximumLines: maximumLines, look: .smooth)
    }

    public func measure(
        _ text: DisplayText,
        font: LayoutFont,
        width: Double,
        maximumLines: Int,
        look: TextLook
    ) -> [MeasuredLine] {
        // Pango treats a width below zero as "no limit", and stores widths as 31 bits in units of 1/1024 point.
        guard !text.isEmpty, maximumLines > 0, width >= 1, width < 1_000_000 else { return [] }
        let question = question(text, font, width, maximumLines, look)
        guard let memory else { return lines(of: question) }
        if let answer = memory.answer(to: question) { return answer }
        let answer = lines(of: question)
        memory.remember(answer, for: question)
        return answer
    }

    private func question(
        _ text: DisplayText,
        _ font: LayoutFont,
        _ width: Double,
        _ maximumLines: Int,
        _ look: TextLook
    ) -> TextMemory.Question {
        TextMemory.Question(
            text: text,
            size: font.size,
            leading: font.leading,
            weight: font.weight,
            italic: font.italic,
            look: look,
            width: width,
            maximumLines: maximumLines
        )
    }

    private func lines(of question: TextMemory.Question) -> [MeasuredLine] {
        let isSmooth = question.look == .smooth
        if let lines = (isSmooth ? breaker : pixelBreaker).lines(of: question) { return lines }
        // The glyph that replaces an unknown character has a reliable width only while no other thread measures.
        return FontSet.drawingTurn.withLock { _ in
            (isSmooth ? turnTaker : pixelTurnTaker).lines(of: question, takesUnknown: true)
        } ?? []
    }
}
