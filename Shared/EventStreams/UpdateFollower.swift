// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import WidgetSchema

/// The consumer of the notifier's updates: returns each update once and in order, even if the bus loses messages, and
/// decides what to request.
///
/// It is a value type without clock or socket. The owner passes all messages and answers to `handle`. After each of
/// them, and at `nextDeadline`, it sends the requests that `nextRequest` returns, until that returns nil. The rules are
/// those of `docs/events.md`.
///
/// Positions are valid within one epoch. If a message has another epoch, the follower requests a snapshot, and the `end`
/// of the snapshot decides which epoch holds. An answer is dropped if it is of another epoch, or if the follower no longer
/// waits for it.
public struct UpdateFollower: Sendable {
    /// The pause after a failed request for a snapshot.
    public static let snapshotRetryInterval: Duration = .milliseconds(500)

    /// The point at which a follower begins, which determines the order of its updates.
    public enum Start: Sendable {
        /// The states of all widgets, and up to `backlog` updates before them; in the order of offsets.
        case snapshot(backlog: UInt64)
        /// The position of the last update that was handled; in the order of offsets.
        case position(StreamOffset)
        /// The cycle with this sequence number of each widget for which `follows` returns true; in the order of each
        /// widget's cycles.
        case sequence(SequenceNumber, follows: @Sendable (WidgetID) -> Bool)
    }

    private struct Join: Sendable {
        /// The widget after which the next page begins; nil for the first page.
        var after: WidgetID?
        /// The position `end` of the first page; nil before that page has arrived.
        var start: StreamOffset?
        /// The records of the pages that have arrived.
        var states: [StreamedUpdate] = []
        /// The wait before the next request; nil if there is none.
        var pause: Wait?
        /// The number of the request in flight; nil if there is none.
        var request: UInt64?
    }

    private let backlog: UInt64
    private let coversNewData: Bool
    /// The snapshot that is being read; nil if there is none.
    private var join: Join?
    /// The epoch in which the positions are valid; nil before the first snapshot.
    private var epoch: StreamEpoch?
    /// The stream of all widgets; nil before the first snapshot, and in the order of each widget.
    private var stream: OffsetStream?
    /// The streams of single widgets; nil in the order of offsets.
    private var widgets: WidgetStreams?
    private var skipped = SkippedOffsets()
    /// The number of the request for updates of `stream` that is in flight; nil if there is none.
    private var streamRequest: UInt64?
    private var lastRequest: UInt64 = 0
    /// The offset up to which all updates must be published until the follower has caught up; nil if none is known.
    private var catchUpTarget: UInt64?
    /// A Boolean value that indicates whether the states of all widgets are known.
    public private(set) var hasCaughtUp = false

    /// Creates a follower.
    ///
    /// If `coversNewData` is true, a record that replaces several updates has the result `newData` if one of them had it
    /// (see `Event.coveringNewData`).
    public init(from start: Start, coversNewData: Bool) {
        self.coversNewData = coversNewData
        switch start {
        case .snapshot(let backlog): self.backlog = backlog
        case .position(let position):
            backlog = 0
            epoch = position.epoch
            stream = OffsetStream(after: position.number)
        case .sequence(let since, let follows):
            backlog = 0
            widgets = WidgetStreams(since: since, follows: follows)
        }
    }

    /// The position up to which all updates were published; nil before the first snapshot is complete.
    public var position: StreamOffset? {
        guard let epoch, let number = stream?.position else { return nil }
        return StreamOffset(epoch: epoch, number: number)
    }

    /// Handles a message, an answer or a change of the connection, and returns what follows from it, in order.
    public mutating func handle(_ input: Input, now: Instant) -> [Output] {
        switch input {
        case .subscribed where stream == nil: join = join ?? Join()
        case .subscribed, .resubscribed:
            stream?.requireReplay()
            widgets?.askForAll()
        case .update(let event, let json): return take(event, json, at: now)
        case .heads(let heads): return heard(heads, at: now)
        case .answer(let request, let page):
            guard endWait(for: request) else { return [] }
            switch request.body {
            case .snapshot: return take(page, at: now)
            case .updates: return replayed(page, at: now)
            case .cycles: return answered(request.number, page, at: now)
            }
        case .failed(let request, let isUnknown):
            guard endWait(for: request) else { return [] }
            switch request.body {
            case .snapshot: join?.pause = Self.snapshotPause(since: now)
            case .updates:
                stream?.replayFailed(at: now)
                if isUnknown { return rejoin("the notifier does not know \(position?.description ?? "")", at: now) }
            case .cycles: widgets?.askFailed(request.number)
            }
        }
        return []
    }

    // MARK: Requests

    /// Returns a request to the notifier that is due now; nil if there is none.
    ///
    /// The owner sends the request, and passes its answer or failure to `handle`. Until then, the request counts as in
    /// flight.
    public mutating func nextRequest(at now: Instant) -> Request? {
        if let join, join.request == nil, join.pause?.isOver(at: now) ?? true {
            lastRequest += 1
            self.join?.request = lastRequest
            self.join?.pause = nil
            return Request(.snapshot(after: join.after), number: lastRequest)
        }
        if let ask = widgets?.nextRequest(at: now) { return Request(.cycles(from: ask.from), number: ask.id) }
        guard let epoch, let number = stream?.nextRequest(at: now) else { return nil }
        lastRequest += 1
        streamRequest = lastRequest
        return Request(.updates(since: StreamOffset(epoch: epoch, number: number)), number: lastRequest)
    }

    /// Ends the wait for the answer to a request; returns false if the follower does not wait for this answer.
    private mutating func endWait(for request: Request) -> Bool {
        switch request.body {
        case .snapshot:
            guard join?.request == request.number else { return false }
            join?.request = nil
        case .updates:
            guard streamRequest == request.number else { return false }
            streamRequest = nil
        // The streams of widgets know their own requests.
        case .cycles: break
        }
        return true
    }

    /// The time at which `nextRequest` must be called even if no input arrives; nil if there is no such time.
    public var nextDeadline: Instant? {
        [join?.pause?.end, stream?.nextDeadline, widgets?.positions.nextDeadline].compactMap { $0 }.min()
    }

    // MARK: Joining

    private static func snapshotPause(since now: Instant) -> Wait {
        Wait(since: now, duration: snapshotRetryInterval)
    }

    /// Schedules the request for a new snapshot, because the notifier no longer has the stream that this follower
    /// follows.
    ///
    /// `reason` is a text for the log, with the position that does not match.
    private mutating func rejoin(_ reason: String, at now: Instant) -> [Output] {
        guard join == nil else { return [] }
        join = Join(pause: Self.snapshotPause(since: now))
        return [.note(.otherEpoch(reason))]
    }

    private mutating func take(_ page: Records<Update>, at now: Instant) -> [Output] {
        guard var current = join.take() else { return [] }
        guard let end = page.end, current.start.map({ $0.epoch == end.epoch }) ?? true else {
            // The notifier's store was replaced after the first page, or the notifier is of a version without offsets.
            join = Join(pause: Self.snapshotPause(since: now))
            return []
        }
        var outputs: [Output] = []
        current.states += streamed(page.records, of: end.epoch, &outputs)
        let start = current.start ?? end
        let last = page.records.compactMap(\.widget).max()
        if page.more, let last, current.after.map({ last > $0 }) ?? true {
            join = Join(after: last, start: start, states: current.states)
            return outputs
        }
        return outputs + follow(start, current.states, at: now)
    }

    /// Follows the notifier's stream after a snapshot.
    ///
    /// `start` is the position `end` of the snapshot's first page, and `states` are the records of all pages. If the
    /// follower already follows a stream of the same epoch, it continues at its current position. Otherwise, it begins up
    /// to `backlog` updates before `start`, and `states` replace all states of the earlier epoch, newer ones too.
    private mutating func follow(_ start: StreamOffset, _ states: [StreamedUpdate], at now: Instant) -> [Output] {
        var outputs: [Output] = []
        if widgets != nil {
            if let epoch, epoch != start.epoch {
                outputs = [.begin(at: start, states: widgets?.replace(by: states) ?? [])]
            }
            epoch = start.epoch
            widgets?.heads(states.sequences, at: now)
            return outputs
        }
        if start.epoch == epoch, let position = stream?.position {
            // Up to the position, the updates of the stream have told the states; a page may have been sent before them.
            outputs = states.filter { $0.offset > position }.map { .show($0) }
        } else {
            let position = start.number - min(start.number, backlog)
            (epoch, stream, skipped) = (start.epoch, OffsetStream(after: position), SkippedOffsets())
            streamRequest = nil
            outputs = [.begin(at: StreamOffset(epoch: start.epoch, number: position), states: states)]
        }
        stream?.heard(end: start.number)
        catchUpTarget = start.number
        return outputs + catchUp()
    }

    private mutating func catchUp() -> [Output] {
        guard !hasCaughtUp, let catchUpTarget, let stream, stream.position >= catchUpTarget else { return [] }
        hasCaughtUp = true
        return [.caughtUp]
    }

    // MARK: Following

    private mutating func heard(_ heads: NotifierHeads, at now: Instant) -> [Output] {
        // Before the first snapshot, no epoch is known, and messages may be of an earlier one.
        guard let epoch else { return [] }
        if let end = heads.end {
            guard end.epoch == epoch else { return rejoin("the notifier is at \(end)", at: now) }
            stream?.heard(end: end.number)
        }
        widgets?.heads(heads.sequences, at: now)
        return []
    }

    private mutating func take(_ event: Event<Update>, _ json: Data, at now: Instant) -> [Output] {
        if widgets != nil {
            guard let epoch else { return [] }
            if let offset = event.offset, offset.epoch != epoch {
                return rejoin("an update is at \(offset)", at: now)
            }
            return widgets?.handle(event, isReplayed: false, at: now).map { [.publish($0)] } ?? []
        }
        guard let update = StreamedUpdate(event, json: json), let offset = event.offset else {
            return [.note(.malformed(event.id))]
        }
        guard update.range.sequence <= PlausibleSequence.latest(at: now) else {
            if offset.epoch == epoch { stream?.heard(end: offset.number) }
            return [.note(.implausible(update.widget))]
        }
        // There is no stream before the first snapshot. An update that arrives until then is dropped here, and is
        // requested later, with the backlog or as a gap.
        guard let epoch else { return [] }
        guard offset.epoch == epoch else { return rejoin("an update is at \(offset)", at: now) }
        switch stream?.handle(update) {
        case .next(let updates): return updates.map { .publish($0) }
        case .duplicate: return [.note(.duplicate(update.widget))]
        case .gap: return [.note(.gap(update.widget))]
        case nil: return []
        }
    }

    private mutating func replayed(_ page: Records<Update>, at now: Instant) -> [Output] {
        guard let epoch, let position = stream?.position else { return [] }
        if let end = page.end, end.epoch != epoch {
            // The notifier's store was replaced after the notifier had checked the requested position.
            stream?.replayFailed(at: now)
            return rejoin("a replay ends at \(end)", at: now)
        }
        var outputs: [Output] = []
        let records = streamed(page.records, of: epoch, &outputs)
        let next = stream?.replayed(records, more: page.more, end: page.end?.number) ?? []
        let located = skipped.locate(next, after: position, isLast: stream?.isReplayIncomplete != true)
        return outputs + located.map { .publish($0) } + catchUp()
    }

    /// Handles the answer to a request for the cycles of widgets.
    private mutating func answered(_ request: UInt64, _ page: Records<Update>, at now: Instant) -> [Output] {
        if let end = page.end, end.epoch != epoch {
            widgets?.askFailed(request)
            return rejoin("a replay ends at \(end)", at: now)
        }
        return widgets?.answered(request, page, at: now).map { .publish($0) } ?? []
    }

    /// Returns the updates of records, and appends a note to `outputs` for each record that is malformed.
    ///
    /// A record whose offset is of another epoch than its page is malformed, too.
    private func streamed(
        _ records: [Event<Update>],
        of epoch: StreamEpoch,
        _ outputs: inout [Output]
    ) -> [StreamedUpdate] {
        records.compactMap { record in
            // The streams of widgets encode what they return: the range may be shorter then.
            let json = widgets == nil ? nil : Data()
            guard record.offset?.epoch == epoch,
                let update = StreamedUpdate(coversNewData ? record.coveringNewData : record, json: json)
            else {
                outputs.append(.note(.malformed(record.id)))
                return nil
            }
            return update
        }
    }
}
