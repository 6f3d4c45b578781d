// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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
        for id in sources.keys.sorted()
        where sources.isFetchedWhenShown(id) != oldSources.isFetchedWhenShown(id) && state.leases[id] == nil {
            guard let record = state.sources[id], record.goneSince == nil else { continue }
            scheduleNext(of: id, record)
        }
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
}
