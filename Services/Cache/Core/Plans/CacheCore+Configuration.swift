// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import ServiceEngine
import WidgetSchema

/// Changes of the configuration while the cache runs.
extension CacheCore {
    /// Applies a new configuration; widgets that are equal in both configurations are not changed.
    mutating func configure(_ plan: CachePlan, now: Instant) -> CacheStep {
        let (oldPlan, oldSources) = (self.plan, sources)
        self.plan = plan
        sources = plan.sources
        var step = CacheStep(writes: [.limitHistory(plan.limits.history)])
        step += applyPlan(now: now)
        step += rescheduleChangedIntervals(from: oldSources, now: now)
        for (id, widget) in plan.widgets.inOrder {
            let old = oldPlan.widgets[id]
            guard widget.staleAfter != old?.staleAfter || widget.isFetchedWhenShown != old?.isFetchedWhenShown else {
                continue
            }
            scheduleClock(of: id, now: now)
        }
        if plan.limits.hostConcurrency != oldPlan.limits.hostConcurrency
            || plan.limits.hostSpacing != oldPlan.limits.hostSpacing
        {
            remakeSchedule()
        }
        // Pending commands of a widget that was removed, or that has another source now, are answered by the cycle of
        // that change.
        for widget in waiting.byWidget.keys.sorted() {
            step += reconcile([widget], now: now)
            let isAsBefore =
                plan.widgets[widget].map { $0.source.id == oldPlan.widgets[widget]?.source.id } ?? false
            if !isAsBefore { step += finishCommands(on: widget) }
        }
        announceAllFetches()
        return step
    }

    /// Reschedules the healthy sources whose interval has changed; the new interval begins at the last attempt.
    ///
    /// A source keeps the time of its next attempt if the origin requested that time.
    private mutating func rescheduleChangedIntervals(from oldSources: SourcePlans, now: Instant)
        -> CacheStep
    {
        var step = CacheStep()
        for (id, source) in sources.inOrder where state.leases[id] == nil {
            guard let old = oldSources[id], var record = state.sources[id] else { continue }
            guard record.goneSince == nil else { continue }
            if source.isFetchedWhenShown != old.isFetchedWhenShown { scheduleNext(of: id, record) }
            guard let last = record.lastAttempt, record.failures == 0, record.abandonedLeases == 0 else { continue }
            let (before, after) = (old.intervals.regular, source.intervals.regular)
            // Any other time of the next attempt was requested by the origin, and does not change.
            guard before != after, record.nextAttempt == last.advanced(by: before) else { continue }
            record.nextAttempt = max(now, last.advanced(by: after))
            step.writes.append(save(record, of: id))
            scheduleNext(of: id, record)
        }
        return step
    }
}
