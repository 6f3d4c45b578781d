// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// The gateway's half of the stream of updates: each update once and in the order of its widget, whatever the bus loses.
///
/// A value without clock or socket. It joins by the notifier's snapshot, holds live updates until that is complete, and
/// asks for replays of what is missing.
struct GatewayCore: Sendable {
    /// How long after a failure the snapshot is asked for again.
    static let snapshotRetryMilliseconds: Int64 = 500

    private enum Phase: Sendable {
        case waiting
        /// Asking for pages; nil: from the first widget on.
        case joining(after: WidgetID?, retryAt: Instant?)
        case following
    }

    private var positions: StreamPositions
    private var join = SnapshotJoin<(event: Event<Update>, json: Data)>()
    private var phase = Phase.waiting
    private(set) var offset: UInt64

    init(offset: UInt64 = 0, limits: CatchUpLimits = CatchUpLimits()) {
        self.offset = offset
        positions = StreamPositions(limits: limits)
    }

    /// A Boolean value that indicates whether the state of all widgets is known.
    var isReady: Bool { if case .following = phase { true } else { false } }

    /// When `endBatch` has something to do without another input.
    var nextDue: Instant? {
        switch phase {
        case .waiting: nil
        case .joining(_, let retryAt): retryAt
        case .following: positions.nextDeadline
        }
    }

    mutating func handle(_ input: GatewayInput, now: Instant) -> [GatewayEffect] {
        switch input {
        case .subscribed:
            guard case .waiting = phase else { return [] }
            phase = .joining(after: nil, retryAt: nil)
            return [.askSnapshot(after: nil)]
        case .resubscribed:
            if isReady { positions.askForAll() }
            return []
        case .update(let event, let json):
            guard isReady else {
                join.hold((event, json))
                return []
            }
            return take(event, json, at: now, isReplayed: false)
        case .heads(let heads): return take(heads, at: now)
        case .snapshot(let page): return take(page, at: now)
        case .snapshotFailed:
            guard case .joining(let after, _) = phase else { return [] }
            let retryAt = now.advanced(byMilliseconds: Self.snapshotRetryMilliseconds)
            phase = .joining(after: after, retryAt: retryAt)
            return []
        case .replayed(let ask, let page):
            positions.answered(ask.id, records: page.records.compactMap(Self.place), more: page.more)
            return page.records.flatMap { take($0, nil, at: now, isReplayed: true) }
        case .replayFailed(let ask):
            positions.askFailed(ask.id)
            return []
        }
    }

    /// Says what to ask now.
    ///
    /// Called after each batch and at `nextDue`.
    mutating func endBatch(now: Instant) -> [GatewayEffect] {
        switch phase {
        case .waiting: return []
        case .joining(let after, let retryAt):
            guard let retryAt, retryAt <= now else { return [] }
            phase = .joining(after: after, retryAt: nil)
            return [.askSnapshot(after: after)]
        case .following:
            // A notifier that is behind is not asked: whether it was restored is for services to find out.
            while var ask = positions.nextAsk(at: now) {
                for widget in ask.producerBehind { ask.from[widget] = nil }
                if !ask.from.isEmpty { return [.askReplay(ask)] }
                positions.answered(ask.id, records: [], more: false)
            }
            return []
        }
    }

    // MARK: Joining

    private mutating func take(_ page: Records<Update>, at now: Instant) -> [GatewayEffect] {
        guard case .joining(let after, _) = phase else { return [] }
        var effects: [GatewayEffect] = []
        for event in page.records {
            guard let (widget, range) = Self.place(event) else {
                effects.append(.note(.malformed(event.id)))
                continue
            }
            guard range.sequence > positions[widget] else { continue }
            positions.join(widget, at: range.sequence)
            effects.append(publish(event, nil, range, widget))
        }
        let last = page.records.compactMap(\.widget).max()
        if page.more, let last, after.map({ last > $0 }) ?? true {
            phase = .joining(after: last, retryAt: nil)
            return effects + [.askSnapshot(after: last)]
        }
        phase = .following
        let held = join.complete()
        join = SnapshotJoin()
        effects.append(.becomeReady)
        for (event, json) in held { effects += take(event, json, at: now, isReplayed: false) }
        return effects
    }

    // MARK: Following

    private mutating func take(_ heads: [WidgetID: SequenceNumber], at now: Instant) -> [GatewayEffect] {
        guard isReady else { return [] }
        for (widget, head) in heads where positions[widget] == .zero {
            guard positions.isPlausible(head, of: widget, at: now) else { continue }
            // The update of the head itself is missing, and nothing before it is wanted.
            positions.join(widget, at: head.previous)
        }
        return positions.heads(heads, at: now).map { .note(.implausible($0)) }
    }

    private mutating func take(
        _ event: Event<Update>,
        _ json: Data?,
        at now: Instant,
        isReplayed: Bool
    ) -> [GatewayEffect] {
        guard let (widget, range) = Self.place(event) else { return [.note(.malformed(event.id))] }
        if positions[widget] == .zero, isReplayed || positions.isPlausible(range.sequence, of: widget, at: now) {
            positions.join(widget, at: range.first.previous)
        }
        switch positions.handle(range, of: widget, at: now, isReplayed: isReplayed) {
        case .next: return [publish(event, json, range, widget)]
        case .overlap(let rest): return [publish(event, rest == range ? json : nil, rest, widget)]
        case .duplicate: return [.note(.duplicate(widget))]
        case .gap: return [.note(.gap(widget))]
        }
    }

    private mutating func publish(
        _ event: Event<Update>,
        _ json: Data?,
        _ range: SequenceRange,
        _ widget: WidgetID
    ) -> GatewayEffect {
        var event = event
        event.range = range
        guard let bytes = json ?? (try? WireJSON.encode(event)) else { return .note(.malformed(event.id)) }
        offset += 1
        return .publish(
            StreamedUpdate(widget: widget, range: range, event: event, json: bytes, offset: offset)
        )
    }

    private static func place(_ event: Event<Update>) -> (WidgetID, SequenceRange)? {
        guard let widget = event.widget, let range = event.range else { return nil }
        return (widget, range)
    }
}
