// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import OriginRules

/// The limits and timeouts of the cache; those without a default come from the configuration.
struct CacheLimits: Hashable, Sendable {
    /// The duration of a lease, within which the fetcher must complete one fetch.
    var leaseDuration: Duration
    /// The maximum number of concurrent requests to one host.
    var hostConcurrency: Int
    /// The minimum time between the starts of two requests to one host.
    var hostSpacing: Duration
    /// The maximum time that a lease request waits until a source becomes due.
    ///
    /// The fetcher counts the duration of a lease from the time at which it sent the request. A wait therefore leaves
    /// less time for the fetch.
    var leaseParking: Duration = .seconds(2)
    /// The maximum number of leases in one answer.
    var leasesPerAnswer = 256
    /// The minimum time between the last attempt to fetch a source and a fetch that the command `refresh` causes.
    ///
    /// If the command arrives before this time has passed, it causes no fetch, but only a cycle with the outcome
    /// `fresh`.
    var refreshFloor: Duration = .seconds(15)
    /// The rules for when a source is requested again.
    var refresh = RefreshPolicy()
    /// The time after which a document is requested without validators, so that the origin sends it again: 8 days.
    ///
    /// The time is counted from the last answer that contained the document. Without this rule, a server that wrongly
    /// answers every validator with 304 (Not Modified) would never send a changed document.
    var validatorLifetime: Duration = .seconds(8 * 24 * 3_600)
    /// The time for which a source is not fetched after one expired lease.
    ///
    /// The fetcher of the lease has probably died.
    var firstQuarantine: Duration = .seconds(1)
    /// The time for which a source is not fetched after two consecutive expired leases.
    ///
    /// Each further expired lease doubles this time, up to `maximumQuarantine`. The source's document is suspected of
    /// crashing or blocking fetchers.
    var repeatedQuarantine: Duration = .seconds(60)
    var maximumQuarantine: Duration = .seconds(3_600)
    /// The time after a start, or after a time in which the process did not run, before panels mark content as stale.
    ///
    /// Within it, the sources that became due meanwhile are fetched.
    var staleMarkGrace: Duration = .seconds(300)
    /// The lead of the first attempt of a source that is fetched when it is shown: the time from the beginning of the attempt to
    /// the time at which a panel may wake.
    var firstLead: Duration = .seconds(10)
    /// The time that is added to the usual latency of such a source, for layout and notifier.
    var leadReserve: Duration = .seconds(2)
    var maximumLead: Duration = .seconds(300)
    /// The time after which a wanted time is void: nobody looks any more, so the source rests.
    var wantedFor: Duration = .seconds(3_600)
    /// The minimum time for which a ``CommandRecord`` is stored: 24 hours.
    ///
    /// The record contains the last command or push of a client for one widget.
    var commandMemory: Duration = .seconds(24 * 3_600)
    /// The limits of the stored history.
    var history: HistoryLimits
    /// The maximum number of answered lease requests whose ids are kept; the oldest ids are dropped first.
    ///
    /// A repeated request with one of these ids gets no second set of leases.
    var rememberedLeaseRequests = 1024
    /// The maximum number of widgets that get a cycle in one batch because of a new configuration.
    ///
    /// The other widgets follow in later batches. A batch with a hundred thousand widgets would need too much memory,
    /// and the service would not answer requests for too long.
    var reconciledAtOnce = 2000
    /// The maximum number of widgets whose last event is published again in one batch after a start.
    ///
    /// Without this limit, a standby with many widgets would not answer fetchers for seconds after its takeover.
    var republishedAtOnce = 200
    /// The maximum number of requesters that wait for one command.
    var waitersPerCommand = 16
}
