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
    /// A Boolean value that indicates whether displays should show the widget, as set by a push; nil if no push has set
    /// it.
    public var pushedHasContent: Bool?
    /// The time since which the content is stale; nil if it is not stale.
    ///
    /// Only panels with content show it.
    public var staleSince: Instant?
    /// The cause of the last attempt's failure; nil if the attempt did not fail.
    ///
    /// Only panels without content show it.
    public var failure: FailureCause?
    /// A Boolean value that indicates whether clients push the content.
    ///
    /// Only panels without content differ by it.
    public var isPushed = false

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
        staleSince = refreshed.staleSince
        failure = refreshed.failure?.cause
        isPushed = refreshed.isPushed ?? false
    }

    /// Returns the moment without the values that a display does not show, so that they do not count as changes there.
    func reduced(to display: Display, showing shown: ShownContent) -> WidgetMoment {
        var moment = self
        let isPanel = display.family == .panel
        if !isPanel || shown.content == nil { moment.staleSince = nil }
        if !isPanel || !shown.isFailed { moment.failure = nil }
        if !isPanel || shown.content != nil { moment.isPushed = false }
        return moment
    }

    /// Returns the name that a display shows for the widget; nil if there is none.
    ///
    /// The name of a board's cell is used first, then the name in the configuration. On panels, the title of a feed is the
    /// default.
    public func name(on display: Display, showing shown: ShownContent) -> String? {
        if let name = display.panel?.cell?.name ?? definition.name { return name }
        guard display.family == .panel, case .feed(let feed) = shown.content, let title = feed.title, !title.isEmpty
        else {
            return nil
        }
        return title
    }

    /// Returns whether displays should show the widget.
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

extension Display {
    /// Returns the date in the display's time zone; an unknown time zone counts as GMT.
    func date(at instant: Instant) -> CalendarDate {
        (LocalDays(identifier: timeZone) ?? LocalDays(.gmt)).date(at: instant)
    }
}
