// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// The gateway's consumer of the stream of updates.
///
/// It publishes each update once, in the order of offsets, even if the bus loses some messages. It is a value type
/// without clock or socket.
///
/// It starts from the notifier's snapshot. It then reads a backlog of older updates, so that readers that come from
/// another gateway find the updates that they missed. If updates are missing, it requests them from the notifier as a
/// replay.
struct GatewayCore: Sendable {
    /// The pause after a failed request for the snapshot.
    static let snapshotRetryInterval: Duration = .milliseconds(500)
    /// The default of ``GatewaySetup/backlog``, in updates.
    static let defaultBacklog: UInt64 = 2_000

    private enum Phase: Sendable {
        case waiting
        /// The pages of the snapshot are being requested.
        ///
        /// The next page begins after the widget `after`; nil means the first page. `start` is the position `end` of
        /// the first page; nil before that page has arrived. `states` are the records of the pages that have arrived.
        /// `pause` is the wait before the next request; nil while a request is in flight.
        case joining(after: WidgetID?, start: StreamOffset?, states: [StreamedUpdate], pause: Wait?)
        case following
    }

    private let backlog: UInt64
    private var phase = Phase.waiting
    private var stream: OffsetStream<StreamedUpdate>?
    private var skipped = SkippedOffsets()
    /// The offset up to which all updates must be published before the gateway is ready.
    ///
    /// This is the offset of the position `end` of the first page of the latest snapshot. Nil before the first snapshot
    /// is complete.
    private var readyAt: UInt64?
    /// The sequence number of the latest update of each widget that was not removed.
    private var latest: [WidgetID: SequenceNumber] = [:]
    /// A Boolean value that indicates whether the states of all widgets are known.
    private(set) var isReady = false

    init(backlog: UInt64 = defaultBacklog) { self.backlog = backlog }

    /// The position up to which all updates were published; nil before the first snapshot is complete.
    var position: StreamOffset? { stream?.position }

    /// The time at which `endBatch` must be called even if no input arrives; nil if there is no such time.
    var nextDue: Instant? {
        var due = stream?.nextDeadline
        if case .joining(_, _, _, let pause?) = phase { due = min(due ?? pause.end, pause.end) }
        return due
    }

    mutating func handle(_ input: GatewayInput, now: Instant) -> [GatewayEffect] {
        switch input {
        case .subscribed:
            guard case .waiting = phase else { return [] }
            phase = .joining(after: nil, start: nil, states: [], pause: nil)
            return [.askSnapshot(after: nil)]
        case .resubscribed:
            stream?.requireReplay()
            return []
        case .update(let event, let json): return take(event, json, at: now)
        case .end(let end): return heard(end, at: now)
        case .snapshot(let page): return take(page, at: now)
        case .snapshotFailed:
            guard case .joining(let after, let start, let states, _) = phase else { return [] }
            phase = .joining(after: after, start: start, states: states, pause: Self.pause(since: now))
            return []
        case .replayed(let page): return replayed(page, at: now)
        case .replayFailed(let isUnknown):
            stream?.replayFailed(at: now)
            return isUnknown ? rejoin(at: now, "the notifier does not know \(stream?.position.description ?? "")") : []
        }
    }

    /// Returns the requests that are due.
    ///
    /// Must be called after each batch and at `nextDue`.
    mutating func endBatch(now: Instant) -> [GatewayEffect] {
        var effects: [GatewayEffect] = []
        if case .joining(let after, let start, let states, let pause?) = phase, pause.isOver(at: now) {
            phase = .joining(after: after, start: start, states: states, pause: nil)
            effects.append(.askSnapshot(after: after))
        }
        if let since = stream?.nextAsk(at: now) { effects.append(.askUpdates(since: since)) }
        return effects
    }

    private static func pause(since now: Instant) -> Wait { Wait(since: now, duration: snapshotRetryInterval) }

    // MARK: Joining

    private mutating func take(_ page: Records<Update>, at now: Instant) -> [GatewayEffect] {
        guard case .joining(let after, let start, var states, _) = phase else { return [] }
        guard let end = page.end, start.map({ $0.epoch == end.epoch }) ?? true else {
            // The notifier's store was replaced after the first page, or the notifier is of a version without offsets.
            phase = .joining(after: nil, start: nil, states: [], pause: Self.pause(since: now))
            return []
        }
        var effects: [GatewayEffect] = []
        for record in page.records {
            guard let update = StreamedUpdate(record: record) else {
                effects.append(.note(.malformed(record.id)))
                continue
            }
            states.append(update)
        }
        let last = page.records.compactMap(\.widget).max()
        if page.more, let last, after.map({ last > $0 }) ?? true {
            phase = .joining(after: last, start: start ?? end, states: states, pause: nil)
            return effects + [.askSnapshot(after: last)]
        }
        phase = .following
        return effects + follow(start ?? end, states)
    }

    /// Follows the notifier's stream after a snapshot.
    ///
    /// `start` is the position `end` of the snapshot's first page, and `states` are the records of all pages. If the core
    /// already follows a stream of the same epoch, it continues at its current position. Otherwise, it begins up to
    /// `backlog` updates before `start`, and `states` replace all states of the earlier epoch, newer ones too.
    private mutating func follow(_ start: StreamOffset, _ states: [StreamedUpdate]) -> [GatewayEffect] {
        var effects: [GatewayEffect] = []
        if let position = stream?.position, position.epoch == start.epoch {
            // Up to the position, the updates of the stream have told the states; a page may have been sent before them.
            let newer = states.filter { $0.offset > position.number }
            for update in newer { note(update) }
            effects += newer.map { .show($0) }
        } else {
            let position = StreamOffset(epoch: start.epoch, number: start.number - min(start.number, backlog))
            stream = OffsetStream(after: position)
            skipped = SkippedOffsets()
            latest = [:]
            for update in states { note(update) }
            effects.append(.begin(at: position, states: states))
        }
        _ = stream?.heard(end: start)
        readyAt = start.number
        return effects + becomeReady()
    }

    private mutating func becomeReady() -> [GatewayEffect] {
        guard !isReady, let readyAt, let stream, stream.position.number >= readyAt else { return [] }
        isReady = true
        return [.becomeReady]
    }

    /// Schedules the request for a new snapshot, because the notifier no longer has the stream that this core follows.
    ///
    /// `reason` is a text for the log, with the position that does not match.
    private mutating func rejoin(at now: Instant, _ reason: String) -> [GatewayEffect] {
        guard case .following = phase else { return [] }
        phase = .joining(after: nil, start: nil, states: [], pause: Self.pause(since: now))
        return [.note(.otherEpoch(reason))]
    }

    // MARK: Following

    private mutating func heard(_ end: StreamOffset, at now: Instant) -> [GatewayEffect] {
        guard let isKnown = stream?.heard(end: end), !isKnown else { return [] }
        return rejoin(at: now, "the notifier is at \(end)")
    }

    private mutating func take(_ event: Event<Update>, _ json: Data, at now: Instant) -> [GatewayEffect] {
        guard let update = StreamedUpdate(live: event, json: json), let offset = event.offset else {
            return [.note(.malformed(event.id))]
        }
        guard update.range.sequence <= PlausibleSequence.latest(at: now) else {
            if let position = stream?.position, offset.epoch == position.epoch, offset.number > position.number {
                stream?.requireReplay()
            }
            return [.note(.implausible(update.widget))]
        }
        // There is no stream before the first snapshot. An update that arrives until then is dropped here, and is
        // requested later, with the backlog or as a gap.
        switch stream?.handle(update, at: offset) {
        case .next(let updates): return updates.map { publish($0.element) }
        case .duplicate: return [.note(.duplicate(update.widget))]
        case .gap: return [.note(.gap(update.widget))]
        case .otherEpoch: return rejoin(at: now, "an update is at \(offset)")
        case nil: return []
        }
    }

    private mutating func replayed(_ page: Records<Update>, at now: Instant) -> [GatewayEffect] {
        var effects: [GatewayEffect] = []
        var records: [(number: UInt64, element: StreamedUpdate)] = []
        for record in page.records {
            guard let update = StreamedUpdate(record: record) else {
                effects.append(.note(.malformed(record.id)))
                continue
            }
            records.append((update.offset, update))
        }
        guard let position = stream?.position.number,
            let next = stream?.replayed(records, more: page.more, end: page.end, at: now)
        else { return effects }
        let isLast = stream?.isReplayIncomplete != true
        for update in skipped.locate(next.map(\.element), after: position, isLast: isLast) {
            effects.append(publish(update))
        }
        return effects + becomeReady()
    }

    private mutating func publish(_ update: StreamedUpdate) -> GatewayEffect {
        note(update)
        return .publish(update)
    }

    private mutating func note(_ update: StreamedUpdate) {
        let sequence = max(latest[update.widget] ?? .zero, update.range.sequence)
        latest[update.widget] = update.isRemoval ? nil : sequence
    }
}
