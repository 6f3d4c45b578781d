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

    init(since: SequenceNumber, filter: UpdateFilter) {
        self.since = since
        self.filter = filter
    }

    /// Compares the notifier's heads with the updates that arrived, to find missing updates, and begins to follow new
    /// widgets.
    ///
    /// `heads` contains the notifier's last sequence number of each widget. The replay of a new widget begins at the
    /// property `since`, or at the widget's next sequence number if this is lower. If a replay began at a higher number
    /// than the next one, the notifier would conclude that its own store was restored from a backup.
    mutating func handleHeads(_ heads: [WidgetID: SequenceNumber], at now: Instant) {
        let wanted = heads.filter { filter.mayWant($0.key) }
        var isNew = false
        for (widget, head) in wanted where positions.all[widget] == nil {
            let start = min(since.previous, head)
            if start > .zero {
                positions.join(widget, at: start)
            } else {
                // `join` ignores a position of zero. A range that begins at cycle 2 or later is a gap, which causes a
                // request from cycle 1 on.
                _ = positions.handle(SequenceRange(max(head, 2)), of: widget, at: now)
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
    mutating func handle(_ event: Event<Update>, at now: Instant) -> Event<Update>? {
        guard let widget = event.widget, let range = event.range, filter.mayWant(widget) else { return nil }
        if positions.all[widget] == nil {
            positions.join(widget, at: min(since.previous, range.first.previous))
            positions.askForAll()
        }
        switch positions.handle(range, of: widget, at: now) {
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
    ///
    /// A widget is omitted if its last sequence number at the notifier is lower than the last one that has arrived
    /// here. This means that the notifier's store was restored from a backup. The follower does not report this to the
    /// notifier, because the services detect it themselves.
    mutating func nextAsk(at now: Instant) -> ReplayAsk? {
        while var ask = positions.nextAsk(at: now) {
            for widget in ask.producerBehind { ask.from[widget] = nil }
            if !ask.from.isEmpty { return ask }
            positions.answered(ask.id, records: [], more: false)
        }
        return nil
    }

    var nextDeadline: Instant? { positions.nextDeadline }

    mutating func answered(_ ask: ReplayAsk, _ page: Records<Update>) {
        positions.answered(
            ask.id,
            records: page.records.compactMap { record in
                guard let widget = record.widget, let range = record.range else { return nil }
                return (widget, range)
            },
            more: page.more
        )
    }

    mutating func askFailed(_ ask: ReplayAsk) { positions.askFailed(ask.id) }
}
