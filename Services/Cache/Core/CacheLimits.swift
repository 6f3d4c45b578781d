// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import RefreshRules

/// The numbers that decide when the cache does what, in milliseconds where nothing else is said.
struct CacheLimits: Hashable, Sendable {
    static let defaultLeaseDuration: Int64 = 30_000
    static let defaultHostSpacing: Int64 = 1000

    /// The duration of a lease.
    var leaseDuration = defaultLeaseDuration
    /// Requests to one host at the same time.
    var hostConcurrency = 1
    /// Between the starts of two requests to one host.
    var hostSpacing = defaultHostSpacing
    /// The maximum time, in milliseconds, that a lease request waits until a source is due.
    ///
    /// The fetcher's time for its leases runs meanwhile.
    var leaseParking: Int64 = 2000
    /// The most leases in one answer.
    var leasesPerAnswer = 256
    /// A `refresh` within this time of the last attempt is answered `fresh`.
    var refreshFloor: Int64 = 15_000
    /// When a source is asked again.
    var refresh = RefreshPolicy()
    /// Validators are sent for at most 8 days after the last answer in full.
    ///
    /// A server that answers 304 for ever would never be found out.
    var validatorLifetime: Int64 = 8 * 24 * 3_600_000
    /// The pause after a lease that ran out: its fetcher has probably died.
    var firstQuarantine: Int64 = 1000
    /// The pause after the second lease in a row that ran out; it doubles with each further one.
    ///
    /// The document is suspected of ending or occupying fetchers.
    var repeatedQuarantine: Int64 = 60_000
    var maximumQuarantine: Int64 = 3_600_000
    /// The time, in milliseconds, for which a client's last counter is remembered: 24 hours.
    var commandMemory: Int64 = 24 * 3_600_000
    /// The limits of the history.
    var history = HistoryLimits()
    /// Answered lease requests that are remembered, so that a late copy of one takes no leases.
    var rememberedLeaseRequests = 1024
    /// Widgets that one batch gives the cycle which says that their configuration is another; further ones wait for the next
    /// batch, so that a hundred thousand take neither the memory of all at once nor the service's time in one piece.
    var reconciledAtOnce = 2000
    /// Waiting askers of one command.
    var waitersPerCommand = 16
}
