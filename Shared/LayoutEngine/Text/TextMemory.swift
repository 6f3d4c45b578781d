// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization
import WidgetSchema

/// The lines of the texts that were measured last, for all threads that measure: each text is shaped once.
public final class TextMemory: Sendable {
    /// The default for the memory of all texts, in bytes.
    public static let maximumBytes = 12 * 1024 * 1024

    /// All that the lines of a text depend on.
    struct Question: Hashable, Sendable {
        let text: DisplayText
        let size: Double
        let leading: Double
        let weight: LayoutFont.Weight
        let italic: Bool
        let width: Double
        let maximumLines: Int

        /// Hashes the parts that differ in most questions; equality compares the rest.
        func hash(into hasher: inout Hasher) {
            text.hash(into: &hasher)
            hasher.combine(size)
            hasher.combine(width)
        }
    }

    private struct State {
        var answers: BoundedMemory<Question, [MeasuredLine]>
        var measured: Int64 = 0
        var remembered: Int64 = 0
    }

    private let state: Mutex<State>

    public init(maximumBytes: Int = TextMemory.maximumBytes) {
        state = Mutex(State(answers: BoundedMemory(limit: maximumBytes)))
    }

    /// The number of texts that were measured, that were found in the memory, and that were dropped from it.
    public var counts: (measured: Int64, remembered: Int64, forgotten: Int64) {
        state.withLock { ($0.measured, $0.remembered, $0.answers.forgotten) }
    }

    func answer(to question: Question) -> [MeasuredLine]? {
        state.withLock { state in
            let answer = state.answers.value(for: question)
            if answer == nil { state.measured += 1 } else { state.remembered += 1 }
            return answer
        }
    }

    /// The memory of a question and its entry in the dictionary, of an array, and of a line, without their characters.
    private static let entryBytes = 256
    private static let lineBytes = 80

    func remember(_ answer: [MeasuredLine], for question: Question) {
        let lines = answer.reduce(0) { $0 + Self.lineBytes + $1.text.utf8.count }
        let cost = Self.entryBytes + question.text.string.utf8.count + lines
        state.withLock { $0.answers.remember(answer, for: question, cost: cost) }
    }
}
