// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// Writes: which changes are stored at the end of the batch, and which of them with the position of the stream.
extension DeliveryCore {
    /// The changes that are not written yet.
    ///
    /// Some of them wait for the position of the stream, see ``DeliveryLimits/positionInterval``: after a crash, the stream
    /// brings them again.
    struct Changes: Sendable {
        /// The widgets of the stream; they are written with its position.
        var widgets: Set<WidgetID> = []
        var destinations: Set<DestinationName> = []
        /// The destinations of which only counts have changed; they are written with the position.
        var counts: Set<DestinationName> = []
        /// The lanes that are written at the end of the batch.
        var lanes: Set<LaneKey> = []
        /// The lanes that this batch has changed, and that are written with the position.
        var offered: Set<LaneKey> = []
        /// The lanes that earlier batches have changed, and that are written with the position.
        var unwritten: Set<LaneKey> = []
        /// The last lane that was not made, because there are too many; nil if each one was made.
        var rejectedLane: LaneKey?
        /// A Boolean value that indicates whether something happened that reports contain.
        var isReportDue = true
    }

    /// Returns what must be written at the end of the batch.
    mutating func takeWrites(now: Instant) -> [DeliveryWrite] {
        var writes: [DeliveryWrite] = []
        for key in changes.lanes { updateSums(of: key, now: now) }
        for key in changes.offered where !changes.lanes.contains(key) { updateSums(of: key, now: now) }
        for name in changes.destinations { updateSums(of: name, now: now) }
        if !changes.lanes.isEmpty || !changes.offered.isEmpty || !changes.counts.isEmpty
            || !changes.destinations.isEmpty
        {
            changes.isReportDue = true
        }
        changes.unwritten.formUnion(changes.offered)
        changes.offered = []
        if isPositionDue(now: now) {
            changes.destinations.formUnion(changes.counts)
            changes.lanes.formUnion(changes.unwritten)
            for widget in changes.widgets { writes.append(.widget(widget, widgets[widget])) }
            if let position = follower?.position, position != storedPosition {
                writes.append(.position(position))
                storedPosition = position
            }
            (changes.widgets, changes.counts, changes.unwritten, positionDue) = ([], [], [], nil)
        } else if !changes.unwritten.isEmpty {
            changes.unwritten.subtract(changes.lanes)
        }
        for name in changes.destinations.sorted() { writes.append(.destination(name, destinations[name]?.record)) }
        // In the order of the table's key: neighbours are in the same pages of the store.
        for key in changes.lanes.sorted() { writes.append(.lane(key, lanes[key]?.stored)) }
        (changes.destinations, changes.lanes) = ([], [])
        return writes
    }

    /// Returns whether the position of the stream is written now, with all that depends on it.
    private mutating func isPositionDue(now: Instant) -> Bool {
        let isWritten = follower?.position == storedPosition && changes.widgets.isEmpty
        guard !isWritten || !changes.counts.isEmpty || !changes.unwritten.isEmpty else {
            positionDue = nil
            return false
        }
        let due = positionDue ?? now.advanced(by: limits.positionInterval)
        positionDue = due
        // A destination that begins, ends or moves does so at a position; so does another epoch.
        return due <= now || isStopping || follower == nil || !changes.destinations.isEmpty
            || follower?.position?.epoch != storedPosition?.epoch
    }
}
