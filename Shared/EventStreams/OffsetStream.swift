// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The consumer of the stream of all widgets in one epoch: returns each update once, in the order of offsets, and
/// decides what to request from the notifier.
///
/// An update that arrives too early is held until all earlier updates have arrived. Live updates must not skip offsets,
/// but a replay may. The skipped offsets belong to updates that are no longer stored; the cycles of these updates are
/// covered by the oldest stored update of the same widget.
struct OffsetStream: Sendable {
    /// The pause between a failed replay and the next request.
    static let retryInterval: Duration = .milliseconds(500)
    /// The default maximum number of held updates, which wait for earlier updates.
    static let defaultMaximumHeld = 4096

    /// The result of handling a live update.
    enum Step: Sendable {
        /// The live update is next in the stream; the associated array contains this update and the held updates that
        /// directly follow it.
        case next([StreamedUpdate])
        case duplicate
        /// Earlier updates are missing, or a replay is incomplete.
        ///
        /// `nextRequest` returns the offset after which to request a replay. The live update is held, or dropped if too many
        /// updates are already held. A dropped update comes again in the replay.
        case gap
    }

    /// The offset of the last update that was returned.
    private(set) var position: UInt64
    private let maximumHeld: Int
    private var held: [UInt64: StreamedUpdate] = [:]
    /// The offsets of the updates that were held when the replay in flight was requested.
    private var heldBeforeRequest: Set<UInt64> = []
    private var needsReplay = false
    /// A Boolean value that indicates whether pages of a replay have arrived, but not the last page.
    ///
    /// Live updates are held until the last page has arrived. A later page may contain the record that covers the
    /// skipped updates, and this record must come before the live updates.
    private(set) var isReplayIncomplete = false
    private var isAsking = false
    /// The offset after which the last request asked for updates.
    private var asked: UInt64 = 0
    /// The wait after a failed replay; nil if the last one did not fail.
    private var pause: Wait?

    init(after position: UInt64, maximumHeld: Int = defaultMaximumHeld) {
        self.position = position
        self.maximumHeld = maximumHeld
    }

    /// The number of held updates, which wait for earlier updates.
    var heldCount: Int { held.count }

    /// Handles a live update and returns the result: the updates that are next in the stream, or the reason why there
    /// are none.
    mutating func handle(_ update: StreamedUpdate) -> Step {
        guard update.offset > position else { return .duplicate }
        guard update.offset - position == 1, !isReplayIncomplete else {
            needsReplay = true
            // If there is no room for the update, the replay brings it.
            if held.count < maximumHeld { held[update.offset] = update }
            return .gap
        }
        position = update.offset
        return .next([update] + takeHeld())
    }

    /// Records the offset of the latest update in the stream; missing updates up to this offset will be requested.
    mutating func heard(end: UInt64) { if end > position { needsReplay = true } }

    /// Makes `nextRequest` request a replay, because the connection was lost and messages may be missing.
    mutating func requireReplay() { needsReplay = true }

    /// Returns the offset after which to request updates from the notifier; nil if no request is due, or if one is in
    /// flight.
    ///
    /// If the result is not nil, the caller sends the request, and reports the answer with `replayed`, or a failure
    /// with `replayFailed`. Until then, the request counts as in flight.
    mutating func nextRequest(at now: Instant) -> UInt64? {
        guard needsReplay, !isAsking, pause?.isOver(at: now) ?? true else { return nil }
        (needsReplay, isAsking, pause, asked) = (false, true, nil, position)
        heldBeforeRequest = Set(held.keys)
        return position
    }

    /// The time of the next request after a failed replay; nil if no replay has failed, or if a request is in flight.
    var nextDeadline: Instant? { needsReplay && !isAsking ? pause?.end : nil }

    /// Handles one page of a replay, with records in ascending order, and returns the updates that are next in the
    /// stream.
    ///
    /// `more` is true if further records follow on the next page. `end` is the offset of the latest update when the page
    /// was read; nil if the notifier does not report it.
    mutating func replayed(_ records: [StreamedUpdate], more: Bool, end: UInt64?) -> [StreamedUpdate] {
        isAsking = false
        var next: [StreamedUpdate] = []
        for record in records where record.offset > position {
            position = record.offset
            next.append(record)
        }
        // Live updates can have overtaken the whole page; the rest is behind it nevertheless.
        let hasMore = more && (records.last.map { $0.offset > asked } ?? false)
        // The remaining numbers up to the end belong to updates that are no longer stored.
        if !hasMore, let end { position = max(position, end) }
        held = held.filter { $0.key > position }
        isReplayIncomplete = hasMore
        if !hasMore { next += takeHeld() }
        // A replay that brings nothing new shows that the notifier had not assigned the numbers of the updates that were held
        // when it was requested. If it has, its next heads report them. Later ones can be newer than the replay.
        if next.isEmpty, !hasMore { held = held.filter { !heldBeforeRequest.contains($0.key) } }
        needsReplay = hasMore || !held.isEmpty
        return next
    }

    mutating func replayFailed(at now: Instant) {
        (isAsking, needsReplay) = (false, true)
        pause = Wait(since: now, duration: Self.retryInterval)
    }

    private mutating func takeHeld() -> [StreamedUpdate] {
        var next: [StreamedUpdate] = []
        while position < .max, let update = held.removeValue(forKey: position + 1) {
            position += 1
            next.append(update)
        }
        return next
    }
}
