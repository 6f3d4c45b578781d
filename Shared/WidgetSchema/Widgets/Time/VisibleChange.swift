// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The times at which a widget looks different without new content.
///
/// At each of these times, the cache makes a cycle with the cause `clock`. Timelines contain layouts for these times.
public struct VisibleChange {
    private let definition: WidgetDefinition
    private let instant: Instant
    /// The midnights that were computed already, by time zone; displays usually have the same one.
    private var midnights: [String: Instant?] = [:]

    /// Creates the changes of a widget after `instant`.
    public init(of definition: WidgetDefinition, after instant: Instant) {
        self.definition = definition
        self.instant = instant
    }

    /// Returns the next time at which a display may look different; nil if there is none.
    ///
    /// If the display depends on the day, this is midnight in the widget's time zone, or in that of the display if the
    /// widget has none.
    public mutating func next(on display: Display) -> Instant? {
        guard definition.kind.dependsOnDay(on: display) else { return nil }
        let zone = definition.timeZone ?? display.timeZone
        if let known = midnights[zone] { return known }
        let midnight = LocalDays(identifier: zone)?.nextMidnight(after: instant)
        midnights[zone] = .some(midnight)
        return midnight
    }

    /// Returns the next instant after `instant` at which one of the displays may look different; nil if there is none.
    public static func next(
        for definition: WidgetDefinition,
        on displays: [Display],
        after instant: Instant
    ) -> Instant? {
        var changes = VisibleChange(of: definition, after: instant)
        return displays.compactMap { changes.next(on: $0) }.min()
    }
}

extension WidgetKind {
    /// Returns whether a display shows the same content of this kind differently on another day.
    public func dependsOnDay(on display: Display) -> Bool {
        switch self {
        case .forecast, .quote: true
        case .feed, .keyValue, .documents, .json: false
        }
    }
}
