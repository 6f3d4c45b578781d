// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A detector that compares sequence numbers to find repeated and missed updates.
///
/// It is a value type without a socket. Its inputs are updates, and the notifier's heads: the sequence number of the
/// last update of each widget.
struct SeenUpdates: Sendable {
    /// The updates that were missed, because the connection was lost or the reader was too slow.
    struct Missed: Hashable, Sendable {
        /// The maximum number of missed cycles: numbers may be skipped, and one update can cover several cycles.
        var count: UInt64
        /// The lowest sequence number of a missed cycle; `subscribe --since` with this number shows all missed updates.
        var since: SequenceNumber
    }

    private var last: [WidgetID: SequenceNumber] = [:]
    /// The epoch of the numbers in `last`.
    private var epoch: StreamEpoch?
    private var isBehind = false

    /// Returns false if the update was already shown; otherwise records the update as shown and returns true.
    ///
    /// A restarted notifier publishes the last update of each widget again.
    mutating func isNew(_ event: Event<Update>) -> Bool {
        guard let widget = event.widget, let range = event.range else { return true }
        if let offset = event.offset, offset.epoch != epoch {
            // The notifier's store was replaced: its numbers may be lower than those before.
            (last, epoch) = ([:], offset.epoch)
        }
        if let seen = last[widget], range.sequence <= seen { return false }
        last[widget] = range.sequence
        return true
    }

    /// Records that messages may be missing, because the connection was lost or the reader was too slow.
    mutating func mayHaveMissed() { isBehind = true }

    /// Compares the notifier's last sequence numbers with the updates that arrived; returns the missed updates.
    ///
    /// `heads` contains the last sequence number of each widget. Returns nil if no update was missed. Only the first
    /// call after `mayHaveMissed` compares; other calls return nil.
    mutating func handleHeads(_ heads: [WidgetID: SequenceNumber]) -> Missed? {
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
