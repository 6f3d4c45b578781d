// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// What a cycle says of a widget beside its content: all that a layout may depend on, and no clock.
struct WidgetMoment: Hashable, Sendable {
    var definition: WidgetDefinition
    var interaction: InteractionState
    /// The moment that the cycle shows.
    var instant: Instant

    init(definition: WidgetDefinition, interaction: InteractionState, instant: Instant) {
        self.definition = definition
        self.interaction = interaction
        self.instant = instant
    }

    init(_ refreshed: Refreshed) {
        self.init(definition: refreshed.definition, interaction: refreshed.interaction, instant: refreshed.instant)
    }

    /// The day of the moment at a display; a time zone that nobody knows counts as GMT.
    func day(on display: Display) -> CalendarDate {
        (LocalDays(identifier: definition.timeZone ?? display.timeZone) ?? LocalDays(.gmt)).date(at: instant)
    }
}
