// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The consumer of the stream of all widgets: returns each update once, in the order of offsets, and decides what to
/// request from the notifier.
///
/// `OffsetStream` is a value type and uses neither a clock nor a socket. An update that arrives too early is held until
/// all earlier updates have arrived.
///
/// Live updates must not skip offsets, but a replay may. The skipped offsets belong to updates that are no longer
/// stored; the cycles of these updates are covered by the oldest stored update of the same widget.
public struct OffsetStream<Element: Sendable>: Sendable {
    /// The pause between a failed replay and the next request.
    public static var retryInterval: Duration { .milliseconds(500) }
    /// The default maximum number of held updates, which wait for earlier updates.
    public static var defaultMaximumHeld: Int { 4096 }

    /// The result of handling a live update.
    public enum Step: Sendable {
        /// The live update is next in the stream; the associated array contains this update and the held updates that
        /// directly follow it.
        ///
        /// In each element, `number` is the offset of the update.
        case next([(number: UInt64, element: Element)])
        case duplicate
        /// Earlier updates are missing, or a replay is incomplete.
        ///
        /// `nextAsk` returns the position after which to request a replay. The live update is held, or dropped if too
        /// many updates are already held. A dropped update comes again in the replay.
        case gap
        /// The update has another epoch than the stream: the notifier's store was replaced, or the update is old.
        case otherEpoch
    }

    /// The position of the last update that was returned.
    public private(set) var position: StreamOffset
    private let maximumHeld: Int
    private var held: [UInt64: Element] = [:]
    private var needsReplay = false
    /// A Boolean value that indicates whether pages of a replay have arrived, but not the last page.
    ///
    /// Live updates are held until the last page has arrived. A later page may contain the record that covers the
    /// skipped updates, and this record must come before the live updates.
    public private(set) var isReplayIncomplete = false
    private var isAsking = false
    /// The wait after a failed replay; nil if the last one did not fail.
    private var pause: Wait?

    public init(after position: StreamOffset, maximumHeld: Int = Self.defaultMaximumHeld) {
        self.position = position
        self.maximumHeld = maximumHeld
    }

    /// The number of held updates, which wait for earlier updates.
    public var heldCount: Int { held.count }

    /// Handles a live update and returns the result: the updates that are next in the stream, or the reason why there
    /// are none.
    public mutating func handle(_ element: Element, at offset: StreamOffset) -> Step {
        guard offset.epoch == position.epoch else { return .otherEpoch }
        guard offset.number > position.number else { return .duplicate }
        guard offset.number == position.next.number, !isReplayIncomplete else {
            needsReplay = true
            // If there is no room for the update, the replay brings it.
            if held.count < maximumHeld { held[offset.number] = element }
            return .gap
        }
        position = offset
        return .next([(offset.number, element)] + takeHeld())
    }

    /// Records the position of the latest update in the stream; missing updates up to this position will be requested.
    ///
    /// Returns false if `end` has another epoch than this stream.
    public mutating func heard(end: StreamOffset) -> Bool {
        guard end.epoch == position.epoch else { return false }
        if end.number > position.number { needsReplay = true }
        return true
    }

    /// Makes `nextAsk` request a replay, because the connection was lost and messages may be missing.
    public mutating func requireReplay() { needsReplay = true }

    /// Returns the position after which to request updates from the notifier; nil if no request is due, or if one is in
    /// flight.
    ///
    /// If the result is not nil, the caller sends the request, and reports the answer with `replayed`, or a failure
    /// with `replayFailed`. Until then, the request counts as in flight.
    public mutating func nextAsk(at now: Instant) -> StreamOffset? {
        guard needsReplay, !isAsking, pause?.isOver(at: now) ?? true else { return nil }
        (needsReplay, isAsking, pause) = (false, true, nil)
        return position
    }

    /// The time of the next request after a failed replay; nil if no replay has failed, or if a request is in flight.
    public var nextDeadline: Instant? { needsReplay && !isAsking ? pause?.end : nil }

    /// Handles one page of a replay, with records in ascending order, and returns the updates that are next in the
    /// stream, with their offsets.
    ///
    /// `more` is true if further records follow on the next page. `end` is the position of the latest update when the
    /// page was read; nil if the notifier does not report it.
    ///
    /// Returns nil if `end` has another epoch than this stream: the notifier's store was replaced after the notifier had
    /// checked the requested position. The page changes nothing, and the request counts as failed.
    public mutating func replayed(
        _ records: [(number: UInt64, element: Element)],
        more: Bool,
        end: StreamOffset?,
        at now: Instant
    ) -> [(number: UInt64, element: Element)]? {
        guard end?.epoch ?? position.epoch == position.epoch else {
            replayFailed(at: now)
            return nil
        }
        isAsking = false
        var next: [(number: UInt64, element: Element)] = []
        for (number, element) in records where number > position.number {
            position = StreamOffset(epoch: position.epoch, number: number)
            next.append((number, element))
        }
        let hasMore = more && !next.isEmpty
        if !hasMore, let end, end.number > position.number {
            // The remaining numbers up to the end belong to updates that are no longer stored.
            position = end
        }
        held = held.filter { $0.key > position.number }
        isReplayIncomplete = hasMore
        if !hasMore { next += takeHeld() }
        // A replay that brings nothing new shows that the notifier has not assigned the numbers of the held updates. If
        // it has, its next heads report them.
        if next.isEmpty { held = [:] }
        needsReplay = hasMore || !held.isEmpty
        return next
    }

    public mutating func replayFailed(at now: Instant) {
        (isAsking, needsReplay) = (false, true)
        pause = Wait(since: now, duration: Self.retryInterval)
    }

    private mutating func takeHeld() -> [(number: UInt64, element: Element)] {
        var next: [(number: UInt64, element: Element)] = []
        while let element = held.removeValue(forKey: position.next.number), position.number < .max {
            position = position.next
            next.append((position.number, element))
        }
        return next
    }
}
