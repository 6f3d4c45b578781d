// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The sequence numbers after a restore and above wrong positions: the cache climbs, and consumers never go back.
extension CacheCore {
    /// The source in the record of a widget that only consumers know; no configured source has this id.
    private static let sourceOfUnknownWidgets = "0000000000000000"

    /// The highest number above which a widget is raised, so that numbers above it are left.
    ///
    /// Only the notifier asks, and it accepts no number far above its clock. But this clock, or that of a cache before,
    /// may have been years ahead.
    private static let highestRaised = SequenceNumber(.max / 2)

    /// Gives every widget of a restored store a new cycle.
    ///
    /// Its sequence number was not used since the backup, unless a wrong message had raised the widget above the clock.
    ///
    /// Also ends all leases in the store.
    mutating func renumberAll(now: Instant) -> CacheStep {
        var step = CacheStep(effects: [.count(.restores)])
        for (source, lease) in state.leases.sorted(by: { $0.key < $1.key }) {
            step += voidLease(lease, of: source, now: now)
        }
        for widget in state.widgets.keys.sorted() { step += raise(widget, above: .zero, now: now) }
        state.wasRestored = false
        return step + CacheStep(writes: [.forgetRestore], effects: [.reportRestore(widgets: state.widgets.count)])
    }

    /// Answers the notifier's request to tell whether this store has the cycles that the notifier has handled.
    ///
    /// A widget whose cycle is not in the store, and whose latest cycle is not above it, gets a cycle above it. Such a
    /// cycle comes from a message that no cache has sent, or from a server that was lost. The wrong number keeps its
    /// update, and the range of the new cycle covers it, so that all consumers handle the new cycle.
    mutating func confirm(_ requester: RequesterID, _ request: ConfirmRequest, now: Instant) -> CacheStep {
        var step = CacheStep()
        var answer = ConfirmAnswer(heads: [:])
        for (id, cycle) in request.widgets.sorted(by: { $0.key < $1.key }) {
            if lacks(cycle, of: id), cycle.sequence <= Self.highestRaised {
                step.effects.append(.count(.raisedWidgets))
                step += raise(id, above: cycle.sequence, now: now)
                answer.raised.append(id)
            }
            answer.heads[id] = state.widgets[id]?.head
        }
        step.effects.append(.answerConfirm(requester, answer))
        return step
    }

    /// Returns whether a cycle is not one of the widget's, and its number is not below that of the latest cycle.
    private func lacks(_ cycle: ConfirmRequest.Cycle, of id: WidgetID) -> Bool {
        guard let record = state.widgets[id], cycle.sequence <= record.head else { return true }
        guard cycle.sequence == record.head, let asked = cycle.committed, let known = record.committed else {
            return false
        }
        return asked != known
    }

    /// Ends a lease because the store was restored, and delays the next fetch of the source.
    ///
    /// The outcome of the lease is ignored. The source is not fetched before the time at which the lease would have
    /// expired, because the fetcher may still be waiting for the origin. This can happen if the restored state is only
    /// seconds old, for example after a standby server of PostgreSQL was promoted.
    private mutating func voidLease(_ lease: LeaseRecord, of source: SourceID, now: Instant) -> CacheStep {
        endLease(of: source)
        guard var record = state.sources[source] else {
            schedule.finish(source, nextDue: now, at: now)
            return CacheStep(writes: [.endLease(source)])
        }
        record.heldUntil = lease.expires
        record.nextAttempt = max(record.nextAttempt, lease.expires)
        let step = CacheStep(writes: [.endLease(source), save(record, of: source)])
        finishAttempt(of: source, record, now: now)
        return step
    }

    /// Gives a widget a cycle with an unused number above `sequence`, which brings its state and content again.
    private mutating func raise(_ id: WidgetID, above sequence: SequenceNumber, now: Instant) -> CacheStep {
        if state.widgets[id] == nil {
            guard let source = SourceID(rawValue: Self.sourceOfUnknownWidgets) else { return CacheStep() }
            state.widgets[id] = WidgetRecord(removedFrom: source)
            index.insert(id)
        }
        let isRemoved = state.widgets[id]?.isRemoved ?? false
        return cycle(id, CycleInput(cause: isRemoved ? .removed : .start, above: sequence), now: now)
    }
}
