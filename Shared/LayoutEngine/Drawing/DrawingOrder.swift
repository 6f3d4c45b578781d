// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// All inputs of a drawing: equal keys give equal drawings.
///
/// The numbers in a key come from JSON, which has no NaN, so a key is always equal to itself.
public struct DrawingKey: Hashable, Sendable {
    public let shown: ShownContent.Identity
    public let variant: DrawingVariant
}

/// The inputs of a drawing besides the content.
///
/// Many widgets have equal variants, so ``DrawingCache`` stores each different variant only once.
public struct DrawingVariant: Hashable, Sendable {
    public let display: Display
    public let definition: WidgetDefinition
    public let interaction: InteractionState
    /// The day for which the layout is computed; nil if the display does not depend on the day.
    ///
    /// The day is in the widget's time zone, or in the display's time zone if the widget has none.
    public let day: CalendarDate?
    /// The day in the display's time zone; nil if the display does not show the date above the cells of a board.
    public let shownDate: CalendarDate?
    public let staleSince: Instant?
    public let failure: FailureCause?
    public let isPushed: Bool
    public let hasContent: Bool
}

/// A request to draw a widget on one display.
public struct DrawingOrder: Sendable {
    public let shown: ShownContent
    /// The moment without the values that the display does not show.
    public let moment: WidgetMoment
    public let display: Display
    /// A Boolean value that indicates whether the layout is needed in addition to its digest.
    public var needsLayout: Bool

    public init(shown: ShownContent, moment: WidgetMoment, display: Display, needsLayout: Bool = true) {
        self.shown = shown
        self.moment = moment.reduced(to: display, showing: shown)
        self.display = display
        self.needsLayout = needsLayout
    }

    private var dependsOnDay: Bool { moment.definition.kind.dependsOnDay(on: display) || moment.staleSince != nil }

    public var key: DrawingKey {
        DrawingKey(
            shown: shown.identity,
            variant: DrawingVariant(
                display: display,
                definition: moment.definition,
                interaction: moment.interaction.on(display),
                day: dependsOnDay ? moment.day(on: display) : nil,
                shownDate: display.showsDate ? display.date(at: moment.instant) : nil,
                staleSince: moment.staleSince,
                failure: moment.failure,
                isPushed: moment.isPushed,
                hasContent: moment.hasContent(showing: shown)
            )
        )
    }
}

/// The result of a ``DrawingOrder``.
public struct FinishedDrawing: Hashable, Sendable {
    public let key: DrawingKey
    public let look: Look
    /// The drawing; nil if ``DrawingOrder/needsLayout`` is false.
    public let drawing: Drawing?
}

/// The digest, the height and the summary of a drawing.
///
/// ``DrawingCache`` stores looks for longer than complete drawings, because looks are much smaller.
public struct Look: Hashable, Sendable {
    public let digest: ContentDigest
    public let height: Double
    /// A line of text that summarises the widget in the display's language.
    public let summary: String
}
