// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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

    /// Reports that a consumer has requested a sequence number that is higher than the widget's next one.
    ///
    /// `from` is the requested sequence number; an implausible number is ignored (see `PlausibleSequence`). The
    /// probable cause is that an older store was restored. Each widget is reported at most once per `alarmInterval`.
    /// The cache does not skip to this number, because any client can request any number. Only a restore that the
    /// store itself has detected leads to new sequence numbers.
    mutating func raiseAlarm(_ widget: WidgetID, askedFrom from: SequenceNumber, now: Instant) -> [CacheAction] {
        guard from <= PlausibleSequence.latest(at: now) else { return [] }
        if let last = alarms[widget], now < last.advanced(by: Self.alarmInterval), now >= last {
            return []
        }
        alarms = alarms.filter { now < $0.value.advanced(by: Self.alarmInterval) }
        alarms[widget] = now
        return [.reportBehind(widget, askedFrom: from)]
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
