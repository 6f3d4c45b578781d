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
        step += rescheduleChangedIntervals(from: oldSources, now: now)
        for (id, widget) in plan.widgets.inOrder where widget.staleAfter != oldPlan.widgets[id]?.staleAfter {
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
            guard let old = oldSources[id], var record = state.sources[id], let last = record.lastAttempt,
                record.failures == 0, record.abandonedLeases == 0, record.goneSince == nil
            else { continue }
            let (before, after) = (old.pause, source.pause)
            // Any other time of the next attempt was requested by the origin, and does not change.
            guard before != after, record.nextAttempt == last.advanced(by: before) else { continue }
            record.nextAttempt = max(now, last.advanced(by: after))
            step.writes.append(save(record, of: id))
            schedule.schedule(id, host: host(of: id), at: record.nextAttempt)
        }
        return step
    }

    /// Adds the sources to the schedule.
    ///
    /// A source whose lease has not ended is added as being fetched, even if no widget uses the source. Any other
    /// source is added with the time of its next attempt, unless the source is permanently gone.
    mutating func scheduleSources() {
        for (id, lease) in state.leases {
            schedule.restoreTaken(id, host: lease.host.isEmpty ? host(of: id) : lease.host)
        }
        // Sorted, so that equal states give the same order.
        for id in sources.keys.sorted() where state.leases[id] == nil {
            if let record = state.sources[id], record.goneSince == nil {
                schedule.schedule(id, host: host(of: id), at: record.nextAttempt)
            }
        }
    }

    /// Returns the current record of each host.
    ///
    /// If a source or a pending lease uses a host, the record in the schedule is current. Otherwise, the stored record
    /// is current.
    func currentHosts() -> [String: HostRecord] {
        var hosts = state.hosts
        for host in Set(sources.keys.map(host(of:))).union(state.leases.values.map(\.host)) {
            hosts[host] = schedule.record(of: host)
        }
        return hosts
    }

    mutating func saveHost(_ host: String) -> CacheWrite {
        let record = schedule.record(of: host)
        state.hosts[host] = record
        return .saveHost(host, record)
    }

    private mutating func remakeSchedule() {
        remakeSchedule(hosts: currentHosts())
    }

    mutating func remakeSchedule(hosts: [String: HostRecord]) {
        schedule = FetchSchedule(
            hostConcurrency: limits.hostConcurrency,
            hostSpacing: limits.hostSpacing,
            hosts: hosts
        )
        scheduleSources()
    }

    /// Forgets the hosts that no source asks, such as former targets of redirects.
    ///
    /// The record of an unused host is kept until `HostRecord.availableAt`, the time from which the host may receive a
    /// request, and as long as HTTP/2 must not be used with it.
    mutating func forgetUnusedHosts(now: Instant) -> CacheStep {
        guard !state.hosts.isEmpty else { return CacheStep() }
        var step = CacheStep()
        let hosts = Set(sources.keys.map(host(of:)))
        for (host, record) in state.hosts.sorted(by: { $0.key < $1.key })
        where !hosts.contains(host) && record.availableAt.map({ $0 <= now }) ?? true && !record.avoidsHTTP2(at: now) {
            state.hosts[host] = nil
            step.writes.append(.forgetHost(host))
        }
        return step
    }
}
