// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import RefreshRules

/// The limits and timeouts of the cache.
struct CacheLimits: Hashable, Sendable {
    static let defaultLeaseDuration: Duration = .seconds(30)
    static let defaultHostSpacing: Duration = .seconds(1)

    /// The duration of a lease: the time for one fetch.
    var leaseDuration = defaultLeaseDuration
    /// The maximum number of concurrent requests to one host.
    var hostConcurrency = 1
    /// The minimum time between the starts of two requests to one host.
    var hostSpacing = defaultHostSpacing
    /// The maximum time that a lease request waits for a source to become due.
    ///
    /// The fetcher counts this time as part of its leases.
    var leaseParking: Duration = .seconds(2)
    /// The maximum number of leases in one answer.
    var leasesPerAnswer = 256
    /// The time after the last attempt in which a `refresh` is answered `fresh`.
    var refreshFloor: Duration = .seconds(15)
    /// The rules for when a source is requested again.
    var refresh = RefreshPolicy()
    /// The maximum time after the last full answer in which validators are sent: 8 days.
    ///
    /// Otherwise, a server that always answers 304 would never be detected.
    var validatorLifetime: Duration = .seconds(8 * 24 * 3_600)
    /// The pause after one expired lease: its fetcher has probably died.
    var firstQuarantine: Duration = .seconds(1)
    /// The pause after the second consecutive expired lease; it doubles with each further one.
    ///
    /// The document is suspected of crashing or blocking fetchers.
    var repeatedQuarantine: Duration = .seconds(60)
    var maximumQuarantine: Duration = .seconds(3_600)
    /// The time for which the last counter of a client is stored: 24 hours.
    var commandMemory: Duration = .seconds(24 * 3_600)
    /// The limits of the stored history.
    var history = HistoryLimits()
    /// The number of answered lease requests that are remembered, so that a request that arrives twice gets no second
    /// set of leases.
    var rememberedLeaseRequests = 1024
    /// The maximum number of widgets that get a configuration cycle in one batch; the others follow in later batches.
    ///
    /// With a hundred thousand widgets in one batch, the service would need too much memory and not answer for too
    /// long.
    var reconciledAtOnce = 2000
    /// The maximum number of widgets whose last event is published again in one batch after a start.
    ///
    /// Otherwise, a standby with many widgets would not answer fetchers for seconds after its takeover.
    var republishedAtOnce = 200
    /// The maximum number of requesters that wait for one command.
    var waitersPerCommand = 16
}
