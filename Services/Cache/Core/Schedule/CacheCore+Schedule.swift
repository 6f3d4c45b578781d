// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import OriginRules
import ServiceEngine
import WidgetSchema

/// The schedule of the fetches: when each source is asked next, and the limits of the hosts.
extension CacheCore {
    // MARK: Sources

    /// Stores the record of a source, and announces its next fetch.
    mutating func save(_ record: SourceRecord, of source: SourceID) -> CacheWrite {
        state.sources[source] = record
        announcements.sources.insert(source)
        return .saveSource(source, record)
    }

    /// Adds the sources to the schedule.
    ///
    /// A source whose lease has not ended is added as being fetched, even if no widget uses the source. Any other
    /// source is added with the time of its next attempt, unless the source is permanently gone. A source that is fetched
    /// when it is shown may rest.
    mutating func scheduleSources() {
        for (id, lease) in state.leases {
            schedule.restoreTaken(id, host: lease.host.isEmpty ? host(of: id) : lease.host)
        }
        // Sorted, so that equal states give the same order.
        for id in sources.keys.sorted() where state.leases[id] == nil {
            if let record = state.sources[id], record.goneSince == nil {
                scheduleNext(of: id, record)
            }
        }
    }

    /// Schedules an immediate fetch of each healthy source whose last document was not parsed for all widgets of the
    /// source.
    mutating func fetchMissingParsings(now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, plan) in sources.inOrder where state.leases[id] == nil {
            guard var record = state.sources[id], record.failures == 0, record.abandonedLeases == 0,
                record.goneSince == nil,
                plannedAttempt(of: id, record).map({ $0 > earliestAttempt(of: record, now: now) }) ?? true,
                plan.parsings.contains(where: { !record.knows($0) })
            else { continue }
            record.nextAttempt = earliestAttempt(of: record, now: now)
            demand(&record, of: id)
            step.writes.append(save(record, of: id))
            scheduleNext(of: id, record)
        }
        return step
    }

    /// Reschedules the healthy sources whose interval has changed since their last attempt; the new interval begins at
    /// that attempt.
    ///
    /// A source keeps the time of its next attempt if the origin requested that time. The former interval is in the
    /// record, because the change may have been made while no cache ran.
    mutating func rescheduleChangedIntervals(now: Instant) -> CacheStep {
        var step = CacheStep()
        for (id, plan) in sources.inOrder where state.leases[id] == nil {
            guard var record = state.sources[id], let last = record.lastAttempt else { continue }
            let interval = plan.intervals.regular
            guard let planned = record.plannedInterval else {
                // The record of an earlier version, whose interval is unknown.
                state.sources[id]?.plannedInterval = interval
                continue
            }
            guard planned != interval, record.nextAttempt == last.advanced(by: planned), record.failures == 0,
                record.abandonedLeases == 0, record.goneSince == nil
            else { continue }
            record.nextAttempt = max(earliestAttempt(of: record, now: now), last.advanced(by: interval))
            record.plannedInterval = interval
            step.writes.append(save(record, of: id))
            scheduleNext(of: id, record)
        }
        return step
    }

    /// Returns the earliest time of a source's next fetch.
    ///
    /// This is `now`, unless the last answer asked for a pause, or a restore of the store ended a lease of the source
    /// early. In the second case, it is the original end of the lease, because the fetcher may still be fetching the source
    /// until that time.
    func earliestAttempt(of record: SourceRecord, now: Instant) -> Instant {
        // The clock may have been set back since the lease was granted.
        let held = min(record.heldUntil ?? now, now.advanced(by: limits.leaseDuration))
        return max(now, held, record.notBefore ?? now)
    }

    /// Schedules an immediate fetch of a source if it is permanently gone.
    ///
    /// Called when a widget of the source is started or has a new configuration.
    mutating func askAgainIfGone(_ source: SourceID, now: Instant) -> CacheStep {
        guard var record = state.sources[source], record.goneSince != nil, state.leases[source] == nil else {
            return CacheStep()
        }
        record.goneSince = nil
        record.nextAttempt = now
        demand(&record, of: source)
        let step = CacheStep(writes: [save(record, of: source)])
        scheduleNext(of: source, record)
        return step
    }

    // MARK: Hosts

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

    mutating func remakeSchedule() {
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
