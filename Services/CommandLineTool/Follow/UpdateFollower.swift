// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// A follower of updates: it returns each update that matches the filter, once and in order, even if the bus loses
/// messages.
///
/// It is a value type without a clock or a socket. Its inputs are the notifier's heads (the sequence number of the last
/// update of each widget), messages, and records of replays. Its outputs are events to show, and replay requests. An
/// event is returned only after all earlier events of its widget have arrived.
struct UpdateFollower: Sendable {
    let since: SequenceNumber
    let filter: UpdateFilter
    private var positions = StreamPositions()
    /// The epoch in which the positions are valid; nil before the first snapshot, and for a notifier without epochs.
    private var epoch: StreamEpoch?
    /// A Boolean value that indicates whether a snapshot is required, because a message had another epoch.
    private(set) var needsSnapshot = false

    init(since: SequenceNumber, filter: UpdateFilter) {
        self.since = since
        self.filter = filter
    }

    /// Takes the last update of every widget, and returns those that must be shown now.
    ///
    /// `end` is the position in the snapshot, whose epoch decides which positions are valid. If it is another one than
    /// before, the positions in the snapshot replace the known ones, lower ones too, and `isNewEpoch` is true.
    mutating func handleSnapshot(
        _ records: [Event<Update>],
        end: StreamOffset?,
        at now: Instant
    ) -> (shown: [Event<Update>], isNewEpoch: Bool) {
        needsSnapshot = false
        let heads = Dictionary(
            records.compactMap { record in
                record.widget.flatMap { widget in record.range.map { (widget, $0.sequence) } }
            }
        ) { _, last in last }
        guard let known = epoch, let new = end?.epoch, new != known else {
            epoch = end?.epoch ?? epoch
            handleHeads(heads, at: now)
            return ([], false)
        }
        epoch = new
        var shown: [Event<Update>] = []
        for record in records {
            guard let widget = record.widget, let range = record.range, positions.contains(widget),
                let rest = SequenceRange(first: positions[widget].next, sequence: range.sequence)
            else { continue }
            if let event = self.shown(record, rest, widget) { shown.append(event) }
        }
        // Widgets that are not known yet begin at `since`, as ever.
        positions.replace(with: heads.filter { positions.contains($0.key) })
        handleHeads(heads, at: now)
        return (shown, true)
    }

    /// Returns false for a message of another epoch, which changes nothing until a snapshot decides which epoch holds.
    private mutating func isOfThisEpoch(_ offset: StreamOffset?) -> Bool {
        guard let epoch, let offset, offset.epoch != epoch else { return true }
        needsSnapshot = true
        return false
    }

    /// Compares the notifier's heads with the updates that arrived, to find missing updates, and begins to follow new
    /// widgets.
    ///
    /// `heads` contains the notifier's last sequence number of each widget. The replay of a new widget begins at the
    /// property `since`, or at the widget's next sequence number if this is lower. `end` is the position in the message.
    mutating func handleHeads(_ heads: [WidgetID: SequenceNumber], end: StreamOffset? = nil, at now: Instant) {
        guard isOfThisEpoch(end) else { return }
        let wanted = heads.filter { filter.mayWant($0.key) }
        var isNew = false
        for (widget, head) in wanted where !positions.contains(widget) {
            let start = min(since.previous, head)
            if start > .zero {
                positions.join(widget, at: start)
            } else {
                // `join` ignores a position of zero. A range that begins at cycle 2 or later is a gap, which causes a
                // request from cycle 1 on.
                _ = positions.handle(SequenceRange(max(head, 2)), of: widget, at: now, isReplayed: true)
            }
            isNew = true
        }
        if isNew { positions.askForAll() }
        positions.heads(wanted, at: now)
    }

    /// Handles an event from a message or a replay, and returns it if it must be shown now.
    ///
    /// If some cycles of the event are already known, the range of the returned event contains only the new cycles.
    /// Returns nil in these cases:
    /// - All cycles are known or lower than the property `since`.
    /// - The event does not match the filter.
    /// - Earlier events of the widget are still missing.
    /// - The event is of another epoch.
    ///
    /// `isReplayed` is true for the records of a replay: they may be of earlier epochs, because only the last update of a
    /// widget gets a position in a new one, and their sequence numbers are trusted.
    mutating func handle(_ event: Event<Update>, isReplayed: Bool, at now: Instant) -> Event<Update>? {
        guard isReplayed || isOfThisEpoch(event.offset), let widget = event.widget, let range = event.range,
            filter.mayWant(widget)
        else { return nil }
        if !positions.contains(widget) {
            positions.join(widget, at: min(since.previous, range.first.previous))
            positions.askForAll()
        }
        switch positions.handle(range, of: widget, at: now, isReplayed: isReplayed) {
        case .next: return shown(event, range, widget)
        case .overlap(let rest): return shown(event, rest, widget)
        case .duplicate, .gap: return nil
        }
    }

    private func shown(_ event: Event<Update>, _ range: SequenceRange, _ widget: WidgetID) -> Event<Update>? {
        guard range.sequence >= since, filter.wants(event, of: widget) else { return nil }
        var event = event
        event.range = range
        return event
    }

    /// Schedules a replay for each followed widget, from its first sequence number that has not arrived.
    ///
    /// Must be called when the connection has been lost and restored.
    mutating func askForAll() { positions.askForAll() }

    /// Returns the replay request that is due now; nil if there is none.
    mutating func nextAsk(at now: Instant) -> ReplayAsk? { positions.nextAsk(at: now) }

    var nextDeadline: Instant? { positions.nextDeadline }

    /// Takes the answer to a replay request; returns false if its records must be dropped, because of another epoch.
    mutating func answered(_ ask: ReplayAsk, _ page: Records<Update>) -> Bool {
        guard isOfThisEpoch(page.end) else {
            positions.askFailed(ask.id)
            return false
        }
        positions.answered(
            ask.id,
            records: page.records.compactMap { record in
                guard let widget = record.widget, let range = record.range else { return nil }
                return (widget, range)
            },
            more: page.more
        )
        return true
    }

    mutating func askFailed(_ ask: ReplayAsk) { positions.askFailed(ask.id) }
}
