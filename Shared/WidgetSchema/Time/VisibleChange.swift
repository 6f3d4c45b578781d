// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// When a widget looks different without new content: what clock cycles and timelines go by.
public enum VisibleChange {
    /// The next instant after `instant` at which one of the displays may show something else; nil where none ever will.
    ///
    /// Kinds that show a day change at midnight: in the widget's own time zone where it has one, else in that of each
    /// display.
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
