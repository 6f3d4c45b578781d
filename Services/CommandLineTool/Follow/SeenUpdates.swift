// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Tells repeated updates from new ones, and counts those that were missed, from their sequence numbers.
///
/// A value without a socket: it is given updates and the notifier's heads.
struct SeenUpdates: Sendable {
    /// Updates that were published while the connection was lost.
    struct Missed: Hashable, Sendable {
        /// The number of cycles; several may have become one update.
        var count: UInt64
        /// The first of them: `subscribe --since` shows all from there on.
        var since: SequenceNumber
    }

    private var last: [WidgetID: SequenceNumber] = [:]
    private var isBehind = false

    /// Returns false for an update that was shown before: a notifier that restarts repeats the last of each widget.
    mutating func isNew(_ event: Event<Update>) -> Bool {
        guard let widget = event.widget, let range = event.range else { return true }
        if let seen = last[widget], range.sequence <= seen { return false }
        last[widget] = range.sequence
        return true
    }

    /// Notes that messages may be missing: the connection was lost, or the reader was too slow.
    mutating func mayHaveMissed() { isBehind = true }

    /// Returns what was missed, once after `mayHaveMissed`: the updates up to the heads that never came.
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
