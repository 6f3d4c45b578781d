// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import OriginRules
import ServiceEngine
import WidgetSchema

/// The cache's reactions to the wall clock.
extension CacheCore {
    /// The maximum number of clock cycles in one batch of inputs.
    ///
    /// A clock cycle is a cycle of a widget that looks different without new content. At midnight, the clock cycles of
    /// many widgets are due at once.
    static let clockCyclesPerBatch = 1000

    /// Schedules the next clock cycle of each widget.
    ///
    /// A clock cycle is made when a widget looks different than in its last cycle although it has no new content, such
    /// as at midnight. A clock cycle that became due while the service was stopped is made at once.
    mutating func scheduleClocks(now: Instant) {
        clockCycles = ClockCycles()
        for id in state.widgets.keys.sorted() { scheduleClock(of: id, now: now) }
    }

    mutating func scheduleClock(of id: WidgetID, now: Instant) {
        guard let record = state.widgets[id], !record.isRemoved else { return clockCycles.schedule(id, at: nil) }
        let shown = record.committed ?? now
        var due = VisibleChange.next(
            for: record.definition,
            on: record.displays,
            after: min(shown, now),
            showsStaleMark: record.showsStaleMark
        )
        // The widget shows a later day than today: the clock was set back since.
        if shown > now, let midnight = due, midnight <= shown { due = now }
        let mark = staleMarkDue(of: id, record, now: now)
        clockCycles.schedule(id, at: [due, mark].compactMap { $0 }.min())
    }

    /// Makes the clock cycles that are due, but no more than `clockCyclesPerBatch`.
    mutating func runClocks(now: Instant) -> CacheStep {
        var step = CacheStep()
        var cycles = 0
        while cycles < Self.clockCyclesPerBatch, let widget = clockCycles.next(at: now) {
            step += cycle(widget, CycleInput(cause: .clock), now: now)
            cycles += 1
        }
        return step
    }

    /// Shifts the stored times when the wall clock is set, so that pending waits keep their length.
    ///
    /// The times are shifted by `milliseconds`, which is positive if the clock was set forward, and negative if it was
    /// set back. Clock cycles are not shifted but scheduled again, because they are due at a time of day.
    mutating func clockJumped(by milliseconds: Int64, now: Instant) -> CacheStep {
        var step = CacheStep()
        for (source, lease) in state.leases.sorted(by: { $0.key < $1.key }) {
            let end = lease.expires.advanced(byMilliseconds: milliseconds)
            step.writes.append(moveExpiry(of: lease, of: source, to: end))
        }
        for (id, record) in state.sources.inOrder {
            var shifted = record.advanced(byMilliseconds: milliseconds)
            shifted.heldUntil = record.heldUntil?.advanced(byMilliseconds: milliseconds)
            step.writes.append(save(shifted, of: id))
        }
        let hosts = currentHosts().mapValues { $0.advanced(byMilliseconds: milliseconds) }
        state.hosts = hosts
        step.writes += hosts.sorted { $0.key < $1.key }.map { .saveHost($0.key, $0.value) }
        for index in leases.parked.indices {
            leases.parked[index].until = leases.parked[index].until.advanced(byMilliseconds: milliseconds)
        }
        for key in waiting.requesters.keys {
            waiting.requesters[key] = waiting.requesters[key]?.map { waiter in
                var waiter = waiter
                waiter.until = waiter.until.advanced(byMilliseconds: milliseconds)
                return waiter
            }
        }
        nextPurge = nextPurge?.advanced(byMilliseconds: milliseconds)
        reports.nextSilenceCheck = reports.nextSilenceCheck?.advanced(byMilliseconds: milliseconds)
        sweep.next = sweep.next?.advanced(byMilliseconds: milliseconds)
        remakeSchedule(hosts: hosts)
        announceAllFetches()
        staleMarkGrace.begin(limits.staleMarkGrace, now: now)
        step += clampSuccesses(now: now)
        scheduleClocks(now: now)
        return step
    }

    /// Corrects stored times that are too far in the future, because the clock was set back after they were stored.
    ///
    /// A time that is later than the latest allowed time is replaced by the latest allowed time, which is:
    /// - for the expiry of a lease: `leaseDuration` after `now`;
    /// - for the last attempt of a source: `now` (its other times become earlier by the same duration, except `heldUntil`,
    ///   which `earliestAttempt` limits);
    /// - for the last attempt at the configured address of a source: `now`;
    /// - for the end of the pause that the last answer to a source asked for: `maximumHostPause` after `now`;
    /// - for the end of a host's pause: `maximumHostPause` after `now`;
    /// - for the earliest next request to a host: `hostSpacing` after `now`;
    /// - for the end of the time without HTTP/2 on a host: `http2Pause` after `now`.
    ///
    /// The next attempt of a source is planned again if no rule allows so long a wait.
    mutating func clampToPresent(now: Instant) -> CacheStep {
        var step = CacheStep()
        let latestExpiry = now.advanced(by: limits.leaseDuration)
        for (source, lease) in state.leases.sorted(by: { $0.key < $1.key }) where lease.expires > latestExpiry {
            step.writes.append(moveExpiry(of: lease, of: source, to: latestExpiry))
        }
        for (id, record) in state.sources.inOrder {
            let corrected = clamped(record, of: id, now: now)
            if corrected != record { step.writes.append(save(corrected, of: id)) }
        }
        var changedHosts: [String: HostRecord] = [:]
        for (host, record) in state.hosts {
            let clamped = record.clamped(
                pause: now.advanced(by: limits.refresh.maximumHostPause),
                start: now.advanced(by: limits.hostSpacing),
                http2: now.advanced(by: HostRecord.http2Pause)
            )
            if clamped != record { changedHosts[host] = clamped }
        }
        guard !step.writes.isEmpty || !changedHosts.isEmpty else { return CacheStep() }
        state.hosts.merge(changedHosts) { $1 }
        remakeSchedule(hosts: state.hosts)
        step.writes += changedHosts.sorted { $0.key < $1.key }.map { .saveHost($0.key, $0.value) }
        return step
    }

    /// Returns the record of a source with its times corrected as in ``clampToPresent(now:)``.
    private func clamped(_ record: SourceRecord, of source: SourceID, now: Instant) -> SourceRecord {
        let excess = max(0, record.lastAttempt?.milliseconds(since: now) ?? 0)
        var record = record.advanced(byMilliseconds: -excess)
        let rules = limits.refresh
        record.configuredAttempt = record.configuredAttempt.map { min($0, now) }
        record.notBefore = record.notBefore.map { min($0, now.advanced(by: rules.maximumHostPause)) }
        guard record.nextAttempt > now.advanced(by: rules.maximumAdvice),
            let interval = sources[source]?.intervals.regular
        else { return record }
        // Hours that a feed skips, and the spread of a back-off, come on top of the other waits.
        let longest = max(
            interval,
            record.plannedInterval ?? interval,
            rules.maximumAdvice,
            rules.maximumHostPause,
            rules.maximumLongBackOff
        )
        if record.nextAttempt > now.advanced(by: longest + rules.maximumAdvice) {
            record.nextAttempt = max(now.advanced(by: interval), record.notBefore ?? now)
        }
        return record
    }
}

extension SourceRecord {
    /// Returns the record with its times shifted, except ``heldUntil``.
    fileprivate func advanced(byMilliseconds milliseconds: Int64) -> SourceRecord {
        var record = self
        record.lastAttempt = lastAttempt?.advanced(byMilliseconds: milliseconds)
        record.configuredAttempt = configuredAttempt?.advanced(byMilliseconds: milliseconds)
        record.nextAttempt = nextAttempt.advanced(byMilliseconds: milliseconds)
        record.notBefore = notBefore?.advanced(byMilliseconds: milliseconds)
        record.wantedAt = wantedAt?.advanced(byMilliseconds: milliseconds)
        record.missedAt = missedAt?.advanced(byMilliseconds: milliseconds)
        return record
    }
}

extension HostRecord {
    fileprivate func advanced(byMilliseconds milliseconds: Int64) -> HostRecord {
        var record = self
        record.blockedUntil = blockedUntil?.advanced(byMilliseconds: milliseconds)
        record.nextStart = nextStart?.advanced(byMilliseconds: milliseconds)
        record.withoutHTTP2Until = withoutHTTP2Until?.advanced(byMilliseconds: milliseconds)
        return record
    }

    fileprivate func clamped(pause: Instant, start: Instant, http2: Instant) -> HostRecord {
        var record = self
        record.blockedUntil = blockedUntil.map { min($0, pause) }
        record.nextStart = nextStart.map { min($0, start) }
        record.withoutHTTP2Until = withoutHTTP2Until.map { min($0, http2) }
        return record
    }
}
