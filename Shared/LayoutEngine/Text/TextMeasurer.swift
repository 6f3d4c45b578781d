// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization
public import WidgetSchema

/// Measures text as it will be drawn: shaping, line breaking, bidi and fallback fonts by Pango.
///
/// Lines are measured at the font's size alone; their distance is the text style's leading, which Pango's extents exceed
/// where a line mixes fonts.
///
/// Owned by one thread, which made it: Pango's objects are not to be shared.
public final class TextMeasurer: TextMeasuring {
    private let breaker = LineBreaker(for: .measuring)
    /// For texts with characters that no font has; most threads never see one.
    private lazy var turnTaker = LineBreaker(for: .drawing)
    /// Nil: every text is measured anew.
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
