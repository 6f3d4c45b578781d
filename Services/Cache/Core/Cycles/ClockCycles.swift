// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The next time at which each widget looks different without new content, such as midnight.
///
/// A time that moves into the future needs no entry of its own in the queue: the time of a stale mark moves with each
/// success, and would fill the queue. The earlier entry is replaced when it comes up.
struct ClockCycles: Sendable {
    private(set) var due: [WidgetID: Instant] = [:]
    private var queue = Heap<WidgetDue>()
    /// The earliest entry of each widget in the queue; later ones are ignored.
    private var queued: [WidgetID: Instant] = [:]

    /// The time of the first entry in the queue, which may be replaced by a later one.
    var nextDeadline: Instant? { queue.first?.at }

    mutating func schedule(_ widget: WidgetID, at instant: Instant?) {
        due[widget] = instant
        guard let instant else { return }
        if let queued = queued[widget], queued <= instant { return }
        enqueue(widget, at: instant)
    }

    /// Removes and returns the first widget that is due; nil if none is.
    mutating func next(at now: Instant) -> WidgetID? {
        while let first = queue.first, first.at <= now {
            _ = queue.removeFirst()
            guard queued[first.widget] == first.at else { continue }
            queued[first.widget] = nil
            guard let instant = due[first.widget] else { continue }
            guard instant > now else {
                due[first.widget] = nil
                return first.widget
            }
            enqueue(first.widget, at: instant)
        }
        return nil
    }

    private mutating func enqueue(_ widget: WidgetID, at instant: Instant) {
        queue.insert(WidgetDue(at: instant, widget: widget))
        queued[widget] = instant
    }
}
