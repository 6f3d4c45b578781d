// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The announcements of the planned fetches, from which gateways tell when a picture may change next.
extension CacheCore {
    /// Announces all sources and hosts again, because everything may have changed or no consumer may know it.
    mutating func announceAllFetches() {
        announcements.sources.insert(sources.keys)
        announcements.pausedHosts.formUnion(state.hosts.lazy.filter { $0.value.blockedUntil != nil }.map(\.key))
        announcements.hosts.insert(announcements.pausedHosts)
    }

    /// Announces the pause that a host has asked for.
    mutating func announcePause(of host: String) {
        announcements.pausedHosts.insert(host)
        announcements.hosts.insert(host)
    }

    /// Returns the messages that are due; each contains as many entries as fit into a client's frame.
    mutating func announceFetches(now: Instant) -> CacheStep {
        let planned = sources.keys
        guard let dueSources = announcements.sources.due(at: now, among: { planned }) else { return CacheStep() }
        let paused = announcements.pausedHosts.filter { schedule.isPaused($0, at: now) }
        announcements.pausedHosts = paused
        let dueHosts = announcements.hosts.due(at: now, among: { paused }) ?? []
        let round = announcements.sources.duration(of: max(planned.count, paused.count))
        var entries = dueSources.compactMap { id in plannedFetch(of: id, now: now).map { (id, $0) } }[...]
        var pauses = dueHosts.compactMap { host in
            paused.contains(host) && host.utf8.count <= FetchAnnouncements.maximumHostBytes
                ? schedule.record(of: host).blockedUntil.map { (host, $0) } : nil
        }[...]
        var step = CacheStep()
        while !entries.isEmpty || !pauses.isEmpty {
            let announced = SourceSchedule(
                sources: Dictionary(entries.prefix(FetchAnnouncements.sourcesPerMessage)) { first, _ in first },
                hosts: Dictionary(pauses.prefix(FetchAnnouncements.hostsPerMessage)) { first, _ in first },
                roundMilliseconds: Int(round.wholeMilliseconds)
            )
            entries = entries.dropFirst(FetchAnnouncements.sourcesPerMessage)
            pauses = pauses.dropFirst(FetchAnnouncements.hostsPerMessage)
            step.effects.append(.publishSchedule(announced, at: now))
        }
        return step
    }

    /// Returns the announced entry of a source; nil if the source is not fetched, or was not started yet.
    private func plannedFetch(of id: SourceID, now: Instant) -> PlannedFetch? {
        guard let plan = sources[id], let record = state.sources[id] else { return nil }
        let host = Self.host(of: plan, record)
        var fetch = PlannedFetch(
            state: .scheduled,
            host: host.isEmpty || host.utf8.count > FetchAnnouncements.maximumHostBytes ? nil : host,
            lastAttempt: record.lastAttempt
        )
        if plan.isFetchedWhenShown, record.goneSince == nil { fetch.whenShown = record.nextAttempt }
        // A source at rest until it is shown (`isVoid`, or no planned attempt) is announced like one that is permanently
        // gone: both are fetched only when something requests it.
        if state.leases[id] != nil {
            fetch.state = .running
        } else if record.goneSince != nil || isVoid(record, of: id, now: now) {
            fetch.state = .gone
        } else if let due = plannedAttempt(of: id, record) {
            fetch.next = due
        } else {
            fetch.state = .gone
        }
        return fetch
    }
}
