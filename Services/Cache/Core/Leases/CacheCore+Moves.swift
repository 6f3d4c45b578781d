// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules
import ServiceEngine
import WidgetSchema

/// Attempts at the configured addresses of sources that have moved; the rules are in `SourceRecord+Moves.swift`.
extension CacheCore {
    /// Gives the moved sources of earlier versions a time for the first attempt at their configured address.
    mutating func limitWaitsForConfiguredAddresses(now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, record) in state.sources.inOrder
        where record.location != nil && record.configuredAttempt == nil && state.leases[id] == nil {
            var limited = record
            limited.limitWaitForConfiguredAddress(.zero, now: now)
            guard limited != record, sources[id] != nil else { continue }
            step.writes.append(save(limited, of: id))
            scheduleNext(of: id, limited)
        }
        return step
    }

    /// Ends an attempt at the configured address of a source that has moved, which found no document there.
    ///
    /// The widgets keep their content and get no cycle: the next attempt asks the source's present address.
    mutating func keepLocation(
        of source: SourceID,
        _ plan: SourcePlan,
        after fetched: Fetched,
        now: Instant
    ) -> CacheStep {
        guard var record = state.sources[source] else { return CacheStep() }
        record.noteUnansweredConfiguredAddress(
            plan.address.url,
            announced: fetched.announced,
            interval: plan.intervals.regular,
            now: now
        )
        let step = CacheStep(writes: [save(record, of: source)]) + reportQuarantine(of: source)
        finishAttempt(of: source, record, now: now)
        let isPaused = record.nextAttempt > now || schedule.isPaused(host(of: source), at: now)
        return isPaused ? step + endRefreshing(of: source, now: now) : step
    }
}
