// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The renumbering after a restore: sequence numbers are never reused, even if an older store was restored.
extension CacheCore {
    /// Gives every widget of a restored store a new cycle, whose sequence number cannot have been used since the
    /// backup.
    ///
    /// Also ends all leases in the store.
    mutating func renumberAll(now: Instant) -> [CacheAction] {
        var actions: [CacheAction] = [.count(.restores)]
        for (source, lease) in state.leases.sorted(by: { $0.key < $1.key }) {
            actions += voidLease(lease, of: source, now: now)
        }
        for widget in state.widgets.keys.sorted() { actions += renumber(widget, now: now) }
        state.wasRestored = false
        return actions + [.reportRestore(widgets: state.widgets.count), .forgetRestore]
    }

    /// The time for which a widget whose number was taken from the clock can get another one for a consumer that is
    /// ahead.
    static let renumberingWindow: Duration = .seconds(3600)
    /// The time for which the sequence numbers of a widget whose number was taken from the clock depend on the timeline.
    ///
    /// Longer than any split brain: owners on two primaries that count on by one could assign the same numbers.
    static let timelineWindow: Duration = .seconds(24 * 3600)

    /// Returns the sequence number of a widget's next cycle; `first` is the number after its last one.
    ///
    /// `isFromClock` is true for a new widget and for a renumbered one: their numbers begin at the current time in
    /// milliseconds, so that numbers are unique even if an earlier store was lost.
    func sequenceNumber(from first: SequenceNumber, isFromClock: Bool, now: Instant) -> SequenceNumber {
        guard isFromClock || Self.isWithin(Self.timelineWindow, first, now: now) else { return first }
        let time = SequenceNumber(UInt64(max(now.milliseconds, 1)))
        return TimelineSequenceNumbers(timeline: state.timeline).first(from: isFromClock ? max(first, time) : first)
    }

    /// Returns true if a sequence number is at most `window` behind the clock.
    private static func isWithin(_ window: Duration, _ sequence: SequenceNumber, now: Instant) -> Bool {
        sequence.number >= UInt64(max(0, now.advanced(by: .zero - window).milliseconds))
    }

    /// Handles the request of a consumer for a sequence number that this store has not assigned.
    ///
    /// `from` is the requested sequence number; an implausible number is ignored (see `PlausibleSequence`). There are two
    /// probable causes: an older store was restored, or in a split brain, the owner of a former primary gave the widget a
    /// number from a later time than this store.
    ///
    /// The widget is reported at most once per `ConsumersAhead.alarmInterval`. Any client can request any number, so one
    /// request changes nothing. The widget gets a new cycle with an unused number if all of these conditions hold:
    ///
    /// - Requests for such numbers that are not in the future have lasted for `ConsumersAhead.lastingAfter`.
    /// - The widget's number was taken from the clock within `renumberingWindow`, as after a takeover on a promoted
    ///   server.
    /// - The requested number is not in the future, so that the consumer does not take the new cycle for an old one.
    mutating func consumerIsAhead(of widget: WidgetID, from: SequenceNumber, now: Instant) -> [CacheAction] {
        guard from <= PlausibleSequence.latest(at: now), let head = state.widgets[widget]?.head else { return [] }
        let time = SequenceNumber(UInt64(max(0, now.milliseconds)))
        let (isNews, isLasting) = consumersAhead.take(widget, isFuture: from > time, now: now)
        let alarm: [CacheAction] = isNews ? [.reportBehind(widget, askedFrom: from)] : []
        guard isLasting, Self.isWithin(Self.renumberingWindow, head, now: now) else { return alarm }
        consumersAhead.forget(widget)
        return alarm + [.count(.renumberings)] + renumber(widget, now: now)
    }

    /// Ends a lease because the store was restored, and delays the next fetch of the source.
    ///
    /// The outcome of the lease is ignored. The source is not fetched before the time at which the lease would have
    /// expired, because the fetcher may still be waiting for the origin. This can happen if the restored state is only
    /// seconds old, for example after a standby server of PostgreSQL was promoted.
    private mutating func voidLease(_ lease: LeaseRecord, of source: SourceID, now: Instant) -> [CacheAction] {
        endLease(of: source)
        guard var record = state.sources[source] else {
            schedule.finish(source, nextDue: now, at: now)
            return [.endLease(source)]
        }
        record.heldUntil = lease.expires
        record.nextAttempt = max(record.nextAttempt, lease.expires)
        schedule.finish(source, nextDue: record.nextAttempt, at: now)
        return [.endLease(source), save(record, of: source)]
    }

    private mutating func renumber(_ id: WidgetID, now: Instant) -> [CacheAction] {
        let isRemoved = state.widgets[id]?.isRemoved ?? false
        return cycle(id, CycleInput(cause: isRemoved ? .removed : .start, isRenumbered: true), now: now)
    }
}
