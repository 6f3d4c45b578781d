// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The times at which a widget looks different without new content.
///
/// Clock cycles and timelines use them.
public enum VisibleChange {
    /// Returns the next instant after `instant` at which one of the displays may look different; nil if there is none.
    ///
    /// Widgets of kinds that depend on the day change at midnight, in the widget's time zone if it has one, otherwise
    /// in the time zone of each display.
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
    /// A Boolean value that indicates whether equal content looks different on another day.
    public var dependsOnDay: Bool {
        switch self {
        case .forecast, .quote: true
        case .feed, .keyValue, .documents, .json: false
        }
    }
}
