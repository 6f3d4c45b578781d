// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import WidgetSchema

/// The values of a cycle that its layout depends on, in addition to the content.
public struct WidgetMoment: Hashable, Sendable {
    public var definition: WidgetDefinition
    public var interaction: InteractionState
    /// The time that the layout shows.
    public var instant: Instant
    /// A Boolean value that indicates whether hosts should show the widget, as a push has set it; nil if no push has.
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
    /// A push decides first, then the content, then `hideWhenEmpty`; a placeholder is always shown.
    public func hasContent(showing shown: ShownContent) -> Bool {
        guard let content = shown.content else { return true }
        return pushedHasContent ?? content.hasContent ?? !(definition.hideWhenEmpty == true && content.isEmpty)
    }

    /// Returns the day at a display; an unknown time zone counts as GMT.
    public func day(on display: Display) -> CalendarDate {
        (LocalDays(identifier: definition.timeZone ?? display.timeZone) ?? LocalDays(.gmt)).date(at: instant)
    }
}
