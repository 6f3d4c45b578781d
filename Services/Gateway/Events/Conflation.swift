// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The pending updates of a slow reader, merged to one for each widget.
struct Conflation: Sendable {
    /// The pending updates of one widget.
    struct Entry: Sendable {
        /// The offset of the first pending update.
        var firstOffset: UInt64
        var lastOffset: UInt64
        var event: Event<Update>
        /// The bytes of the update if there is only one; nil if several were merged.
        var json: Data?
    }

    private(set) var entries: [WidgetID: Entry] = [:]
    /// The number of updates that were merged into a later one.
    private(set) var merged = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Appends an update.
    mutating func add(_ update: StreamedUpdate) {
        guard let waiting = entries[update.widget] else {
            entries[update.widget] = Entry(
                firstOffset: update.offset,
                lastOffset: update.offset,
                event: update.event,
                json: update.json
            )
            return
        }
        merged += 1
        entries[update.widget] = Entry(
            firstOffset: waiting.firstOffset,
            lastOffset: update.offset,
            event: Self.merge(waiting.event, update.event),
            json: nil
        )
    }

    /// Returns one event for two consecutive ones: the later state, with the result `newData` if either had it.
    static func merge(_ earlier: Event<Update>, _ later: Event<Update>) -> Event<Update> {
        var event = later
        if let first = earlier.range?.first, let sequence = later.range?.sequence {
            event.range = SequenceRange(first: first, sequence: sequence) ?? later.range
        }
        event.data.changed = Set(earlier.data.changed).union(later.data.changed)
            .filter { later.data.displays[$0] != nil }.sorted()
        if earlier.data.result == .newData, later.data.result != .newData {
            event.data.result = .newData
            event.data.reason = earlier.data.reason
        }
        event.data.previousNewData = earlier.data.previousNewData
        // They start from the state before the later update, which this reader never saw.
        for name in event.data.displays.keys { event.data.displays[name]?.rowChanges = nil }
        return event
    }

    /// Removes and returns all pending updates, in the order of the last update of each widget.
    ///
    /// Each has the offset up to which all updates are sent once its event is sent.
    mutating func takeAll() -> [(entry: Entry, sentUpTo: UInt64)] {
        let ordered = entries.values.sorted { $0.lastOffset < $1.lastOffset }
        entries = [:]
        var smallestLeft = UInt64.max
        var result: [(Entry, UInt64)] = []
        for entry in ordered.reversed() {
            // What comes after this event may begin before it.
            result.append((entry, min(entry.lastOffset, smallestLeft - 1)))
            smallestLeft = min(smallestLeft, entry.firstOffset)
        }
        return result.reversed()
    }
}
