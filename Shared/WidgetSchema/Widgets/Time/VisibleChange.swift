// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The times at which a widget looks different without new content.
///
/// At each of these times, the cache makes a cycle with the cause `clock`. Timelines contain layouts for these times.
///
/// The time at which panels mark content as stale (``Refreshed/staleAt``) is not one of them, although the cache makes a
/// cycle for it, too: the content may be confirmed before, and no reader should wake up for the mark.
public struct VisibleChange {
    private let definition: WidgetDefinition
    private let instant: Instant
    private let showsStaleMark: Bool
    /// The midnights that were computed already, by time zone; displays usually have the same one.
    private var midnights: [String: Instant?] = [:]

    /// Creates the changes of a widget after `instant`.
    ///
    /// `showsStaleMark` is true if the widget's panels show since when the content is stale. The day of that time changes
    /// its look at midnight.
    public init(of definition: WidgetDefinition, after instant: Instant, showsStaleMark: Bool = false) {
        self.definition = definition
        self.instant = instant
        self.showsStaleMark = showsStaleMark
    }

    /// Returns the next time at which a display may look different; nil if there is none.
    ///
    /// If the display depends on the day, this is midnight in the widget's time zone, or in that of the display if the
    /// widget has none. The date above the cells of a board changes at midnight in the display's time zone.
    public mutating func next(on display: Display) -> Instant? {
        let isMarked = showsStaleMark && display.family == .panel
        let next =
            isMarked || definition.kind.dependsOnDay(on: display)
            ? midnight(in: definition.timeZone ?? display.timeZone) : nil
        guard display.showsDate, let other = midnight(in: display.timeZone) else { return next }
        return next.map { min($0, other) } ?? other
    }

    private mutating func midnight(in zone: String) -> Instant? {
        if let known = midnights[zone] { return known }
        let midnight = LocalDays(identifier: zone)?.nextMidnight(after: instant)
        midnights[zone] = .some(midnight)
        return midnight
    }

    /// Returns the next instant after `instant` at which one of the displays may look different; nil if there is none.
    public static func next(
        for definition: WidgetDefinition,
        on displays: [Display],
        after instant: Instant,
        showsStaleMark: Bool = false
    ) -> Instant? {
        var changes = VisibleChange(of: definition, after: instant, showsStaleMark: showsStaleMark)
        return displays.compactMap { changes.next(on: $0) }.min()
    }

    /// Returns whether one of the displays shows a widget differently on another day.
    public static func dependOnDay(_ definition: WidgetDefinition, _ displays: [Display]) -> Bool {
        displays.contains { definition.kind.dependsOnDay(on: $0) || $0.showsDate }
    }
}

extension WidgetKind {
    /// Returns whether a display shows the same content of this kind differently on another day.
    ///
    /// Panels show the time of what is from today, and the day or the date of the rest.
    public func dependsOnDay(on display: Display) -> Bool {
        switch self {
        case .forecast, .quote: true
        case .feed, .documents, .json: display.family == .panel
        case .keyValue: false
        }
    }
}

extension Display {
    /// A Boolean value that indicates whether the display shows the date above the cells of a board.
    public var showsDate: Bool { family == .panel && panel?.cell?.header == .date }
}
