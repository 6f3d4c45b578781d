// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The consumer of the streams of single widgets in one epoch: returns the updates of each widget once and in order,
/// from one sequence number on.
struct WidgetStreams: Sendable {
    private let since: SequenceNumber
    private let follows: @Sendable (WidgetID) -> Bool
    private(set) var positions = StreamPositions()

    init(since: SequenceNumber, follows: @escaping @Sendable (WidgetID) -> Bool) {
        self.since = since
        self.follows = follows
    }

    /// Compares the notifier's heads with the updates that arrived, to find missing updates, and begins to follow new
    /// widgets.
    ///
    /// `heads` contains the notifier's last sequence number of each widget. The replay of a new widget begins at the
    /// property `since`, or at the widget's next sequence number if this is lower.
    mutating func heads(_ heads: [WidgetID: SequenceNumber], at now: Instant) {
        let followed = heads.filter { follows($0.key) }
        var isNew = false
        for (widget, head) in followed where !positions.contains(widget) {
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
        positions.heads(followed, at: now)
    }

    /// Replaces the positions by those of a snapshot of another epoch, lower ones too, and returns its new states.
    ///
    /// Widgets that are not known yet begin at the property `since`, as ever.
    mutating func replace(by states: [StreamedUpdate]) -> [StreamedUpdate] {
        let known = states.filter { positions.contains($0.widget) }
        let new = known.compactMap { state in
            SequenceRange(first: positions[state.widget].next, sequence: state.range.sequence)
                .flatMap { streamed(state.event, $0, state.widget) }
        }
        positions.replace(with: known.sequences)
        return new
    }

    /// Handles a live update or the record of a replay, and returns it if it is next in its widget's stream.
    ///
    /// If some cycles of the event are already known, the range of the returned update contains only the new cycles.
    mutating func handle(_ event: Event<Update>, isReplayed: Bool, at now: Instant) -> StreamedUpdate? {
        guard let widget = event.widget, let range = event.range, follows(widget) else { return nil }
        if !positions.contains(widget) {
            positions.join(widget, at: min(since.previous, range.first.previous))
            positions.askForAll()
        }
        switch positions.handle(range, of: widget, at: now, isReplayed: isReplayed) {
        case .next: return streamed(event, range, widget)
        case .overlap(let rest): return streamed(event, rest, widget)
        case .duplicate, .gap: return nil
        }
    }

    private func streamed(_ event: Event<Update>, _ range: SequenceRange, _ widget: WidgetID) -> StreamedUpdate? {
        guard range.sequence >= since else { return nil }
        var event = event
        event.range = range
        guard let json = try? WireJSON.encode(event) else { return nil }
        return StreamedUpdate(widget: widget, range: range, event: event, json: json, offset: 0)
    }

    // MARK: Requests

    mutating func askForAll() { positions.askForAll() }

    mutating func nextRequest(at now: Instant) -> CatchUpRequest? { positions.nextRequest(at: now) }

    mutating func askFailed(_ id: UInt64) { positions.askFailed(id) }

    /// Handles the answer to the request `id`, and returns the updates that are next in their widgets' streams.
    ///
    /// The answer changes nothing if the request is not in flight.
    mutating func answered(_ id: UInt64, _ page: Records<Update>, at now: Instant) -> [StreamedUpdate] {
        let ranges = page.records.compactMap { record in
            record.widget.flatMap { widget in record.range.map { (widget, $0) } }
        }
        guard positions.answered(id, records: ranges, more: page.more) else { return [] }
        return page.records.compactMap { handle($0, isReplayed: true, at: now) }
    }
}

extension [StreamedUpdate] {
    /// The sequence number of each widget.
    var sequences: [WidgetID: SequenceNumber] {
        Dictionary(map { ($0.widget, $0.range.sequence) }) { _, last in last }
    }
}
