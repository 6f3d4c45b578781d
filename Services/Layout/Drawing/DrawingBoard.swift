// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Draws the variants of a widget, and remembers what each came to.
///
/// Drawing is a pure function, so an answer from memory is as good as a new one: a cycle that changed nothing costs a
/// look-up.
struct DrawingBoard {
    static let maximumRemembered = 32_768

    /// What a drawing depends on, and nothing else.
    private struct Question: Hashable {
        let shown: ShownContent.Identity
        let display: Display
        let definition: WidgetDefinition
        let interaction: InteractionState
        /// Nil where the kind looks the same on every day.
        let day: CalendarDate?
        let hasContent: Bool
    }

    /// The look of one variant; with the drawing, where it was drawn for this.
    struct Look: Hashable, Sendable {
        let digest: ContentDigest
        let height: Double
        /// One line of what it shows.
        let summary: String
        var drawing: Drawing?
    }

    private(set) var drawn: Int64 = 0
    private(set) var remembered: Int64 = 0
    private let drafting: any Drafting
    private var looks = BoundedMemory<Question, Look>(limit: DrawingBoard.maximumRemembered)

    init(drafting: any Drafting) { self.drafting = drafting }

    /// What each of some displays shows, by digest; those that nobody remembers are drawn together.
    mutating func looks(
        of shown: ShownContent,
        at moment: WidgetMoment,
        on displays: [Display]
    ) -> [Look] {
        var result: [Look?] = displays.map { display in looks.value(for: question(shown, moment, display)) }
        let missing = displays.indices.filter { result[$0] == nil }
        remembered += Int64(displays.count - missing.count)
        let drawings = draw(shown, at: moment, on: missing.map { displays[$0] })
        for (index, drawing) in zip(missing, drawings) {
            result[index] = Look(
                digest: drawing.digest,
                height: drawing.layout.size.height,
                summary: drawing.summary,
                drawing: drawing
            )
        }
        return result.compactMap(\.self)
    }

    /// What each of some displays shows.
    mutating func draw(
        _ shown: ShownContent,
        at moment: WidgetMoment,
        on displays: [Display]
    ) -> [Drawing] {
        guard !displays.isEmpty else { return [] }
        drawn += Int64(displays.count)
        let drawings = drafting.draw(displays.map { DrawingOrder(shown: shown, moment: moment, display: $0) })
        for (display, drawing) in zip(displays, drawings) {
            let look = Look(
                digest: drawing.digest,
                height: drawing.layout.size.height,
                summary: drawing.summary
            )
            looks.remember(look, for: question(shown, moment, display))
        }
        return drawings
    }

    private func question(_ shown: ShownContent, _ moment: WidgetMoment, _ display: Display) -> Question {
        Question(
            shown: shown.identity,
            display: display,
            definition: moment.definition,
            interaction: moment.interaction.on(display),
            day: moment.definition.kind.dependsOnDay ? moment.day(on: display) : nil,
            hasContent: moment.hasContent(showing: shown)
        )
    }
}
