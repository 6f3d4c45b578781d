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
    }

    /// The look of one variant.
    struct Look: Hashable, Sendable {
        let digest: ContentDigest
        let height: Double
    }

    private(set) var drawn: Int64 = 0
    private(set) var remembered: Int64 = 0
    private let measurer: any TextMeasuring
    private let formats = LocaleFormats()
    private var looks = BoundedMemory<Question, Look>(limit: DrawingBoard.maximumRemembered)

    init(measurer: any TextMeasuring) { self.measurer = measurer }

    /// What a display shows, by digest.
    mutating func look(
        of shown: ShownContent,
        at moment: WidgetMoment,
        on display: Display
    ) -> Look {
        let question = question(shown, moment, display)
        if let look = looks.value(for: question) {
            remembered += 1
            return look
        }
        let drawing = draw(shown, at: moment, on: display)
        return Look(digest: drawing.digest, height: drawing.layout.size.height)
    }

    /// What a display shows.
    mutating func draw(
        _ shown: ShownContent,
        at moment: WidgetMoment,
        on display: Display
    ) -> Drawing {
        drawn += 1
        let environment = LayoutEnvironment(display: display, moment: moment, measurer: measurer, formats: formats)
        let view = moment.definition.kind.widgetLayout.drawing(of: shown, in: environment)
        let drawing = Drawing(Canvas.draw(view, in: environment))
        looks.remember(
            Look(digest: drawing.digest, height: drawing.layout.size.height),
            for: question(shown, moment, display)
        )
        return drawing
    }

    /// One line of what the widget shows, as its first display would write it.
    func summary(of shown: ShownContent, at moment: WidgetMoment, on display: Display?) -> String {
        guard let display else { return "" }
        let environment = LayoutEnvironment(display: display, moment: moment, measurer: measurer, formats: formats)
        return Summary(moment.definition.kind.widgetLayout.summary(of: shown, in: environment)).text
    }

    private func question(_ shown: ShownContent, _ moment: WidgetMoment, _ display: Display) -> Question {
        Question(
            shown: shown.identity,
            display: display,
            definition: moment.definition,
            interaction: moment.interaction,
            day: moment.definition.kind.dependsOnDay ? moment.day(on: display) : nil
        )
    }
}
