// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The planned fetches that the cache has announced on `schedule/cache/`, as a consumer knows them.
///
/// An entry is valid for the time of one round and ``grace``. After that, the cache does not run, or the source is
/// removed, and the next fetch is unknown.
public struct AnnouncedFetches: Sendable {
    /// The time for which an entry is still valid after it should have been repeated.
    public static let grace: Duration = .seconds(10)
    /// The time after which a source that is due or being fetched may have changed.
    ///
    /// The outcome can come at any time, so this is no lower limit: it keeps a client that sleeps until then from
    /// requesting in a loop.
    public static let overdueDelay: Duration = .seconds(60)
    /// The maximum number of sources, and that of hosts; entries beyond it are not stored.
    public static let maximumEntries = 1_000_000

    /// The times of a completed fetch that an update has reported.
    public struct ReportedFetch: Hashable, Sendable {
        /// The time at which the cache committed the outcome of the fetch.
        public var committed: Instant
        /// The time at which the consumer received the update.
        public var heard: Instant

        public init(committed: Instant, heard: Instant) {
            self.committed = committed
            self.heard = heard
        }
    }

    private struct Heard<Value: Sendable>: Sendable {
        var value: Value
        var at: Instant
    }

    private var sources: [SourceID: Heard<PlannedFetch>] = [:]
    private var hosts: [String: Heard<Instant>] = [:]
    private var validity = grace
    private var nextCleaning: Instant?

    public init() {}

    /// Stores the entries of a message that was received at `now`; returns the number of entries beyond the limit.
    @discardableResult
    public mutating func take(_ schedule: SourceSchedule, at now: Instant) -> Int {
        validity = Self.grace + .milliseconds(max(0, schedule.roundMilliseconds))
        removeInvalid(at: now)
        var rejected = 0
        for (source, fetch) in schedule.sources.sorted(by: { $0.key < $1.key }) {
            guard sources.count < Self.maximumEntries || sources[source] != nil else {
                rejected += 1
                continue
            }
            sources[source] = Heard(value: fetch, at: now)
        }
        for (host, end) in schedule.hosts.sorted(by: { $0.key < $1.key }) {
            guard hosts.count < Self.maximumEntries || hosts[host] != nil else {
                rejected += 1
                continue
            }
            hosts[host] = Heard(value: end, at: now)
        }
        return rejected
    }

    /// Returns the announced fetch of a source; nil if it is unknown.
    ///
    /// `reported` is the latest known completed fetch of the source. A fetch that was planned before it is not returned:
    /// updates may arrive earlier than the new schedule.
    public func fetch(of source: SourceID, after reported: ReportedFetch? = nil, at now: Instant) -> PlannedFetch? {
        guard let heard = sources[source], isValid(heard.at, at: now) else { return nil }
        // Only an entry that was received before the update may be older than it: a change of the clock moves the time
        // of the last attempt. If the clock was set back since the update, the two times cannot be compared.
        if let reported, reported.heard <= now, heard.at < reported.heard,
            heard.value.lastAttempt.map({ $0 < reported.committed }) ?? true
        {
            return nil
        }
        return heard.value
    }

    /// Returns the end of the pause that a host has asked for; nil if there is none or if it is over.
    public func blockedUntil(_ host: String, at now: Instant) -> Instant? {
        guard let heard = hosts[host], isValid(heard.at, at: now), heard.value > now else { return nil }
        return heard.value
    }

    /// Returns the time of a source's next fetch, which is never earlier than `now`; nil if there will be none by itself.
    ///
    /// A source that is fetched when it is shown has none while no panel's wake is known.
    ///
    /// This is a lower limit, except for pushes, commands, files and a new configuration. A source that is due or being
    /// fetched is the exception: see ``overdueDelay``.
    public func nextAttempt(_ fetch: PlannedFetch, at now: Instant) -> Instant? {
        switch fetch.state {
        case .gone: return nil
        case .running: return now.advanced(by: Self.overdueDelay)
        case .scheduled:
            let blocked = fetch.host.flatMap { blockedUntil($0, at: now) }
            return Self.notPast([fetch.next, blocked].compactMap { $0 }.max() ?? now, at: now)
        }
    }

    /// Returns the earliest time at which a source may be fetched for a panel that asks at `now`, never earlier than `now`; nil
    /// if only commands cause a fetch.
    ///
    /// A source that is fetched when it is shown is planned by the wakes of panels, so its planned attempt is no limit for
    /// the next one.
    public func earliestAttempt(_ fetch: PlannedFetch, at now: Instant) -> Instant? {
        guard let allowed = fetch.whenShown else { return nextAttempt(fetch, at: now) }
        let blocked = fetch.host.flatMap { blockedUntil($0, at: now) }
        return max(allowed, blocked ?? allowed, now)
    }

    /// Returns a planned time, or ``overdueDelay`` from now if the time has passed.
    public static func notPast(_ planned: Instant, at now: Instant) -> Instant {
        planned > now ? planned : now.advanced(by: overdueDelay)
    }

    /// Returns whether an entry that was received at `heard` is valid; it is not if the clock was set back since then.
    private func isValid(_ heard: Instant, at now: Instant) -> Bool {
        heard <= now && now <= heard.advanced(by: validity)
    }

    /// Removes invalid entries, at most once in each validity.
    private mutating func removeInvalid(at now: Instant) {
        if let next = nextCleaning, now < next, next <= now.advanced(by: validity) { return }
        nextCleaning = now.advanced(by: validity)
        sources = sources.filter { isValid($0.value.at, at: now) }
        hosts = hosts.filter { isValid($0.value.at, at: now) && $0.value.value > now }
    }
}
