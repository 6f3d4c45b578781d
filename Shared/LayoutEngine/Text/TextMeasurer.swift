// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization
public import WidgetSchema

/// Measures text as it will be drawn: shaping, line breaking, bidirectional text and fallback fonts by Pango.
///
/// Lines are measured with the primary font only. Their distance is the text style's leading, which Pango's extents
/// exceed if a line mixes fonts. Used only by the thread that created it, because Pango's objects must not be shared.
public final class TextMeasurer: TextMeasuring {
    private let breaker = LineBreaker(for: .measuring)
    /// The line breaker for texts with characters that no font has, which most threads never need.
    private lazy var turnTaker = LineBreaker(for: .drawing)
    /// The memory of measured texts; nil if every text is measured again.
    private let memory: TextMemory?

    public init(memory: TextMemory? = TextMemory()) { self.memory = memory }

    /// Loads the fonts that most texts need, which takes as long as measuring a thousand lines.
    public func warmUp() {
        for weight in LayoutFont.Weight.allCases {
            let font = LayoutFont(.body, weight, in: .large)
            _ = lines(of: question(DisplayText("Aä שם 日本 👍 …"), font, 50, 1))
        }
    }

    public func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        // Pango reads a width below zero as "no limit", and has 31 bits of 1/1024 point for it.
        guard !text.isEmpty, maximumLines > 0, width >= 1, width < 1_000_000 else { return [] }
        let question = question(text, font, width, maximumLines)
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
        _ maximumLines: Int
    ) -> TextMemory.Question {
        TextMemory.Question(
            text: text,
            size: font.size,
            leading: font.leading,
            weight: font.weight,
            italic: font.italic,
            width: width,
            maximumLines: maximumLines
        )
    }

    private func lines(of question: TextMemory.Question) -> [MeasuredLine] {
        if let lines = breaker.lines(of: question) { return lines }
        // Alone, what stands for such characters is always as wide, and as wide as it is drawn.
        return FontSet.drawingTurn.withLock { _ in turnTaker.lines(of: question, takesUnknown: true) } ?? []
    }
}
