// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking
import WidgetSchema

/// The lines of recently measured texts, shared by all threads that measure, so that each text is shaped once.
public final class TextMemory: Sendable {
    /// The default maximum total size of the stored texts and lines, in bytes.
    public static let maximumBytes = 12 * 1024 * 1024

    /// The cache key of a measured text: the text and all values that affect its measured lines.
    struct Question: Hashable, Sendable {
        let text: DisplayText
        let size: Double
        let leading: Double
        let weight: LayoutFont.Weight
        let italic: Bool
        let look: TextLook
        let width: Double
        var maximumLines: Int

        /// Compares the text last, because comparing the numbers is faster.
        static func == (left: Question, right: Question) -> Bool {
            left.size == right.size && left.width == right.width && left.maximumLines == right.maximumLines
                && left.leading == right.leading && left.weight == right.weight && left.italic == right.italic
                && left.look == right.look
                && left.text == right.text
        }

        /// Hashes only the values that often differ, but equality compares all values.
        ///
        /// The numbers are combined into one before they are hashed, because each call of the hasher takes time.
        func hash(into hasher: inout Hasher) {
            text.hash(into: &hasher)
            hasher.combine((size * 64 + width) * 64 + Double(maximumLines))
        }
    }

    private struct State {
        var answers: BoundedMemory<Question, [MeasuredLine]>
        var measured: Int64 = 0
        var remembered: Int64 = 0
    }

    private let state: Lock<State>

    public init(maximumBytes: Int = TextMemory.maximumBytes) {
        state = Lock(State(answers: BoundedMemory(limit: maximumBytes)))
    }

    /// The numbers of texts that were measured, found in this cache, and dropped from it.
    ///
    /// `remembered` counts the texts whose lines were found here and not measured again. `forgotten` counts the texts
    /// whose lines were dropped.
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

    /// The estimated size of an entry in bytes, without the characters of its text and without its lines.
    private static let entryBytes = 256
    private static let lineBytes = 80

    /// Stores the lines of a text.
    ///
    /// If there are fewer lines than `question` allows, they are also stored for the question that allows exactly this
    /// number. A row asks that question after the number of its title's lines is known.
    func remember(_ answer: [MeasuredLine], for question: Question) {
        let lines = answer.reduce(0) { $0 + Self.lineBytes + $1.text.utf8.count }
        let cost = Self.entryBytes + question.text.string.utf8.count + lines
        var exact = question
        exact.maximumLines = answer.count
        state.withLock { state in
            state.answers.remember(answer, for: question, cost: cost)
            guard !answer.isEmpty, exact.maximumLines < question.maximumLines else { return }
            state.answers.remember(answer, for: exact, cost: Self.entryBytes)
        }
    }
}
