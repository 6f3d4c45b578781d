// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The dependencies of a drawing, and nothing else: equal keys give equal drawings.
///
/// Its numbers come from JSON, which has no NaN: a key equals itself.
struct DrawingKey: Hashable, Sendable {
    let shown: ShownContent.Identity
    let display: Display
    let definition: WidgetDefinition
    let interaction: InteractionState
    /// Nil if the kind looks the same on every day.
    let day: CalendarDate?
    let hasContent: Bool
}

/// One variant that is to be drawn.
struct DrawingOrder: Sendable {
    let shown: ShownContent
    let moment: WidgetMoment
    let display: Display
    /// A Boolean value that indicates whether the layout is needed, and not only its digest.
    var needsLayout = true

    var key: DrawingKey {
        DrawingKey(
            shown: shown.identity,
            display: display,
            definition: moment.definition,
            interaction: moment.interaction.on(display),
            day: moment.definition.kind.dependsOnDay ? moment.day(on: display) : nil,
            hasContent: moment.hasContent(showing: shown)
        )
    }
}

/// The result of an order.
struct FinishedDrawing: Hashable, Sendable {
    let key: DrawingKey
    let look: Look
    /// Nil if the order did not need the layout.
    let drawing: Drawing?
}

/// What is remembered of a drawing.
struct Look: Hashable, Sendable {
    let digest: ContentDigest
    let height: Double
    /// One line of what the widget shows, as this display writes it.
    let summary: String
}
