// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The times at which a widget looks different without new content.
///
/// At each of these times, the cache makes a cycle with the cause `clock`. Timelines contain layouts for these times.
public enum VisibleChange {
    /// Returns the next instant after `instant` at which one of the displays may look different; nil if there is none.
    ///
    /// A widget whose kind depends on the day changes at midnight in the widget's time zone. If the widget has no time
    /// zone, it changes at midnight in the time zone of each display.
    public static func next(
        for definition: WidgetDefinition,
        on displays: [Display],
        after instant: Instant
    ) -> Instant? {
        guard definition.kind.dependsOnDay else { return nil }
        let zones = definition.timeZone.map { [$0] } ?? displays.map(\.timeZone)
        return Set(zones).compactMap { LocalDays(identifier: $0)?.nextMidnight(after: instant) }.min()
    }
}

extension WidgetKind {
    /// A Boolean value that indicates whether widgets of this kind show the same content differently on another day.
    public var dependsOnDay: Bool {
        switch self {
        case .forecast, .quote: true
        case .feed, .keyValue, .documents, .json: false
        }
    }
}
