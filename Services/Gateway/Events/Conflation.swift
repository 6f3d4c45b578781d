// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The pending updates of a slow reader, merged into one update for each widget.
struct Conflation: Sendable {
    /// The pending updates of one widget, merged into `event`.
    struct Entry: Sendable {
        /// The lowest ``StreamedUpdate/firstOffset`` of the widget's pending updates.
        var firstOffset: UInt64
        var lastOffset: UInt64
        /// The offset for this entry's event id, provided that no updates of other widgets are pending.
        var sentUpTo: UInt64
        var event: Event<Update>
        /// The JSON of `event`; nil if `event` was merged from several updates and is not encoded yet.
        var json: Data?
    }

    private(set) var entries: [WidgetID: Entry] = [:]
    /// The number of updates that were merged into a later update.
    private(set) var merged = 0

    var isEmpty: Bool { entries.isEmpty }

    /// Adds an update, and merges it with the pending update of its widget if there is one.
    mutating func add(_ update: StreamedUpdate) {
        guard let waiting = entries[update.widget] else {
            entries[update.widget] = Entry(
                firstOffset: update.firstOffset,
                lastOffset: update.offset,
                sentUpTo: update.sentUpTo,
                event: update.event,
                json: update.json
            )
            return
        }
        merged += 1
        entries[update.widget] = Entry(
            firstOffset: min(waiting.firstOffset, update.firstOffset),
            lastOffset: update.offset,
            sentUpTo: update.sentUpTo,
            event: Self.merge(waiting.event, update.event),
            json: nil
        )
    }

    /// Returns one event that replaces two consecutive events of a widget.
    ///
    /// The new event covers the cycles of both events and has the state of the later one. Its result is `newData` if
    /// one of the two events had that result.
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
        // The row changes start from the state before the later update, and this reader never received that state.
        for name in event.data.displays.keys { event.data.displays[name]?.rowChanges = nil }
        return event
    }

    /// Removes and returns all pending updates: one entry for each widget, sorted by `lastOffset`.
    ///
    /// In the result, `sentUpTo` is the offset for the entry's event id. When a reader has received all entries up to
    /// and including this one, it has all cycles up to this offset.
    mutating func takeAll() -> [(entry: Entry, sentUpTo: UInt64)] {
        let ordered = entries.values.sorted { $0.lastOffset < $1.lastOffset }
        entries = [:]
        var smallestLeft = UInt64.max
        var result: [(Entry, UInt64)] = []
        for entry in ordered.reversed() {
            // A later entry may begin with an update before this one, which the reader does not have yet.
            result.append((entry, min(entry.sentUpTo, smallestLeft - 1)))
            smallestLeft = min(smallestLeft, entry.firstOffset)
        }
        return result.reversed()
    }
}
