// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Detects repeated and missed updates by their sequence numbers.
///
/// A value type without a socket. Its inputs are updates and the notifier's heads.
struct SeenUpdates: Sendable {
    /// The updates that were missed, because the connection was lost or the reader was too slow.
    struct Missed: Hashable, Sendable {
        /// The number of cycles; several may be covered by one update.
        var count: UInt64
        /// The lowest sequence number of a missed cycle; `subscribe --since` with this number shows all missed updates.
        var since: SequenceNumber
    }

    private var last: [WidgetID: SequenceNumber] = [:]
    private var isBehind = false

    /// Returns false for an update that was already shown: a restarted notifier repeats the last update of each widget.
    mutating func isNew(_ event: Event<Update>) -> Bool {
        guard let widget = event.widget, let range = event.range else { return true }
        if let seen = last[widget], range.sequence <= seen { return false }
        last[widget] = range.sequence
        return true
    }

    /// Records that messages may be missing, because the connection was lost or the reader was too slow.
    mutating func mayHaveMissed() { isBehind = true }

    /// Compares the notifier's heads with the updates that arrived, and returns the missed ones; nil if there are none.
    ///
    /// Only the first heads after a call of `mayHaveMissed` are compared; at other times, the result is nil.
    mutating func heads(_ heads: [WidgetID: SequenceNumber]) -> Missed? {
        guard isBehind else { return nil }
        isBehind = false
        var missed: Missed?
        for (widget, head) in heads {
            guard let seen = last[widget], head > seen else { continue }
            missed = Missed(
                count: (missed?.count ?? 0) + head.number - seen.number,
                since: min(missed?.since ?? seen.next, seen.next)
            )
            last[widget] = head
        }
        return missed
    }
}
