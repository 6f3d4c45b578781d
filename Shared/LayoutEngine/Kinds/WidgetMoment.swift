// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import WidgetSchema

/// The values that determine the layout of a widget, in addition to the widget's content and the display.
public struct WidgetMoment: Hashable, Sendable {
    public var definition: WidgetDefinition
    public var interaction: InteractionState
    /// The time for which the layout is made; the day of this time is the current day of the layout.
    public var instant: Instant
    /// A Boolean value that indicates whether hosts should show the widget, as set by a push; nil if no push has set
    /// it.
    public var pushedHasContent: Bool?

    public init(
        definition: WidgetDefinition,
        interaction: InteractionState,
        instant: Instant,
        pushedHasContent: Bool? = nil
    ) {
        self.definition = definition
        self.interaction = interaction
        self.instant = instant
        self.pushedHasContent = pushedHasContent
    }

    public init(_ refreshed: Refreshed) {
        self.init(
            definition: refreshed.definition,
            interaction: refreshed.interaction,
            instant: refreshed.instant,
            pushedHasContent: refreshed.hasContent
        )
    }

    /// Returns whether hosts should show the widget.
    ///
    /// The value that a push has set is used; if there is none, the value in the content is used. If the content has no
    /// value either, the widget is hidden only if `hideWhenEmpty` is true and the content is empty. A widget without
    /// content is always shown, because it has a placeholder.
    public func hasContent(showing shown: ShownContent) -> Bool {
        guard let content = shown.content else { return true }
        return pushedHasContent ?? content.hasContent ?? !(definition.hideWhenEmpty == true && content.isEmpty)
    }

    /// Returns the day of `instant` in the widget's time zone, or in the display's time zone if the widget has none.
    ///
    /// An unknown time zone counts as GMT.
    public func day(on display: Display) -> CalendarDate {
        (LocalDays(identifier: definition.timeZone ?? display.timeZone) ?? LocalDays(.gmt)).date(at: instant)
    }
}
