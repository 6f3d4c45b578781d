// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A queue of widgets whose last event must be published again.
struct PublicationQueue: Sendable {
    /// The widgets in reverse order: the event of the last element is published next.
    ///
    /// A widget that is not in the property `waiting` was removed from the queue, and is skipped.
    private var widgets: [WidgetID] = []
    private var waiting: Set<WidgetID> = []

    init(_ widgets: [WidgetID] = []) {
        self.widgets = widgets.reversed()
        waiting = Set(widgets)
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Removes and returns the first widgets of the queue, but no more than `maximum`.
    mutating func next(_ maximum: Int) -> [WidgetID] {
        var next: [WidgetID] = []
        while next.count < maximum, let widget = widgets.popLast() {
            if waiting.remove(widget) != nil { next.append(widget) }
        }
        return next
    }

    /// Removes a widget; returns false if it was not in the queue.
    mutating func remove(_ widget: WidgetID) -> Bool { waiting.remove(widget) != nil }
}
