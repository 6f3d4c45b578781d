// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The schedule for the fetches of all sources; it observes the limits of each host.
///
/// The limits are the maximum number of concurrent requests, the minimum time between two requests, and the pauses that
/// the host has requested (holds). Every operation takes O(log n) for n sources, even if thousands of them share a
/// host.
struct FetchSchedule: Sendable {
    private enum Place: Hashable, Sendable {
        case due(Instant)
        /// The source is due, but its host is not available.
        case waiting
        case taken
        /// The source is not due until it is scheduled again.
        case resting
    }

    private enum Subject: Hashable, Sendable {
        case source(SourceID)
        /// The entry is for a host with waiting sources; at the entry's time, the host may be available again.
        case host(String)
    }

    private struct Entry: Comparable, Sendable {
        let at: Instant
        /// The serial number of the entry, by which entries with equal times are sorted.
        let serialNumber: UInt64
        let subject: Subject

        static func < (left: Entry, right: Entry) -> Bool {
            (left.at, left.serialNumber) < (right.at, right.serialNumber)
        }
        static func == (left: Entry, right: Entry) -> Bool {
            (left.at, left.serialNumber) == (right.at, right.serialNumber)
        }
    }

    private struct Host: Sendable {
        var record = HostRecord()
        var active = 0
        /// The sources that wait for this host, in the order in which they became due.
        ///
        /// The list may contain sources that no longer wait, because they were scheduled again or removed; they are
        /// skipped.
        var waiting: [SourceID] = []
        var nextWaiting = 0
        var wake: Instant?

        mutating func popWaiting() -> SourceID? {
            guard nextWaiting < waiting.count else { return nil }
            let source = waiting[nextWaiting]
            nextWaiting += 1
            // Release the memory of taken sources, even if the queue is never empty.
            if nextWaiting * 2 >= waiting.count {
                waiting.removeFirst(nextWaiting)
                nextWaiting = 0
            }
            return source
        }

        var hasWaiting: Bool { nextWaiting < waiting.count }
    }

    private let concurrency: Int
    private let spacing: Duration
    private var places: [SourceID: (host: String, place: Place)] = [:]
    private var hosts: [String: Host] = [:]
    private var queue = Heap<Entry>()
    private var lastSerialNumber: UInt64 = 0

    init(hostConcurrency: Int, hostSpacing: Duration, hosts: [String: HostRecord] = [:]) {
        concurrency = max(1, hostConcurrency)
        spacing = max(.zero, hostSpacing)
        self.hosts = hosts.mapValues { Host(record: $0) }
    }

    func record(of host: String) -> HostRecord { hosts[host]?.record ?? HostRecord() }

    /// Returns whether a host has requested a pause that has not ended.
    func isPaused(_ host: String, at now: Instant) -> Bool {
        hosts[host]?.record.blockedUntil.map { $0 > now } ?? false
    }

    /// Makes a source due at `due` instead of its previous time; a source that is being fetched is not changed.
    ///
    /// If `due` is nil, the source is not due until it is scheduled again.
    mutating func schedule(_ source: SourceID, host: String, at due: Instant?) {
        switch places[source]?.place {
        case .taken: return
        case .waiting, .due, .resting, nil:
            places[source] = (host, due.map(Place.due) ?? .resting)
            if let due { push(.source(source), at: due) }
        }
    }

    /// Adds a source that is being fetched already, under a lease that is older than this schedule.
    mutating func restoreTaken(_ source: SourceID, host: String) {
        places[source] = (host, .taken)
        hosts[host, default: Host()].active += 1
    }

    mutating func remove(_ source: SourceID) {
        guard let (host, place) = places.removeValue(forKey: source) else { return }
        if place == .taken { release(host, at: nil) }
    }

    /// Returns a source that may be fetched now, and counts its fetch as active on the host.
    ///
    /// Returns nil if no source may be fetched now.
    mutating func take(at now: Instant) -> SourceID? {
        while let entry = queue.first, entry.at <= now {
            _ = queue.removeFirst()
            switch entry.subject {
            case .source(let source):
                guard let (host, place) = places[source], place == .due(entry.at) else { continue }
                // Waiting sources were due earlier: they stay ahead of sources that become due later.
                if hosts[host]?.hasWaiting != true, isAvailable(host, at: now) {
                    start(source, on: host, at: now)
                    return source
                }
                places[source] = (host, .waiting)
                hosts[host, default: Host()].waiting.append(source)
                wake(host, at: now)
            case .host(let host):
                guard hosts[host]?.wake == entry.at else { continue }
                hosts[host]?.wake = nil
                guard isAvailable(host, at: now) else {
                    wake(host, at: now)
                    continue
                }
                while let source = hosts[host]?.popWaiting() {
                    guard places[source]?.place == .waiting, places[source]?.host == host else { continue }
                    start(source, on: host, at: now)
                    wake(host, at: now)
                    return source
                }
            }
        }
        return nil
    }

    /// Ends the fetch of a source and schedules the source's next fetch.
    ///
    /// The next fetch uses the host `nextHost`; if `nextHost` is nil, the host stays the same. If `nextDue` is nil, the
    /// source is not due until it is scheduled again.
    mutating func finish(_ source: SourceID, host nextHost: String? = nil, nextDue: Instant?, at now: Instant) {
        guard let (host, place) = places[source] else { return }
        places[source] = (nextHost ?? host, nextDue.map(Place.due) ?? .resting)
        if let nextDue { push(.source(source), at: nextDue) }
        if place == .taken { release(host, at: now) }
    }

    /// Sends no request to a host until an instant, or until its current pause ends if that is later.
    mutating func pause(_ host: String, until end: Instant) {
        var state = hosts[host] ?? Host()
        state.record.blockedUntil = max(end, state.record.blockedUntil ?? end)
        hosts[host] = state
    }

    /// Makes requests to a host use HTTP/1.1 until an instant.
    mutating func avoidHTTP2(on host: String, until end: Instant) {
        hosts[host, default: Host()].record.withoutHTTP2Until = end
    }

    /// The earliest time at which `take` may return a source; nil if no such time is known.
    var nextDeadline: Instant? { queue.first?.at }

    private func isAvailable(_ host: String, at now: Instant) -> Bool {
        // A file has no host, and therefore no limits.
        guard !host.isEmpty, let state = hosts[host] else { return true }
        return state.active < concurrency && (state.record.availableAt.map { $0 <= now } ?? true)
    }

    private mutating func start(_ source: SourceID, on host: String, at now: Instant) {
        places[source] = (host, .taken)
        hosts[host, default: Host()].active += 1
        if spacing > .zero, !host.isEmpty { hosts[host]?.record.nextStart = now.advanced(by: spacing) }
    }

    /// Schedules the next check of a host with waiting sources, for the time at which the host may be available again.
    ///
    /// While the host has the maximum number of fetches in flight, no check is scheduled.
    private mutating func wake(_ host: String, at now: Instant) {
        guard let state = hosts[host], state.hasWaiting, state.active < concurrency else { return }
        let time = max(state.record.availableAt ?? now, now)
        guard state.wake.map({ $0 > time }) ?? true else { return }
        hosts[host]?.wake = time
        push(.host(host), at: time)
    }

    private mutating func release(_ host: String, at now: Instant?) {
        guard let active = hosts[host]?.active, active > 0 else { return }
        hosts[host]?.active = active - 1
        // A removed source frees its host at once.
        wake(host, at: now ?? hosts[host]?.record.availableAt ?? Instant(milliseconds: 0))
    }

    private mutating func push(_ subject: Subject, at time: Instant) {
        lastSerialNumber += 1
        queue.insert(Entry(at: time, serialNumber: lastSerialNumber, subject: subject))
    }
}
