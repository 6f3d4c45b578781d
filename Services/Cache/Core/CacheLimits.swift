// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The numbers that decide when the cache does what, in milliseconds where nothing else is said.
struct CacheLimits: Hashable, Sendable {
    static let defaultLeaseDuration: Int64 = 30_000
    static let defaultHostSpacing: Int64 = 1000

    /// How long a fetcher has for one fetch.
    var leaseDuration = defaultLeaseDuration
    /// Requests to one host at the same time.
    var hostConcurrency = 1
    /// Between the starts of two requests to one host.
    var hostSpacing = defaultHostSpacing
    /// How long a lease request waits for something to become due, at most; the fetcher's clock for its leases runs
    /// meanwhile.
    var leaseParking: Int64 = 2000
    /// The most leases in one answer.
    var leasesPerAnswer = 256
    /// A `refresh` within this time of the last attempt is answered `fresh`.
    var refreshFloor: Int64 = 15_000
    /// What an origin says about freshness counts at most this much: 5 hours.
    var maximumFreshness: Int64 = 5 * 3_600_000
    /// The first pause after a failure is the source's minimum interval, at most this.
    var firstBackoff: Int64 = 60_000
    /// Pauses after failures double up to this.
    var maximumBackoff: Int64 = 4 * 3_600_000
    /// The first pause after an answer that asking again will not change (404).
    var firstPermanentBackoff: Int64 = 3_600_000
    var maximumPermanentBackoff: Int64 = 24 * 3_600_000
    /// How long a host is left alone that says 429 and no time.
    var defaultHostBlock: Int64 = 600_000
    /// The longest that a host can ask to be left alone.
    var maximumHostBlock: Int64 = 24 * 3_600_000
    /// The pause after a lease that ran out doubles from here: perhaps the document kills fetchers.
    var firstQuarantine: Int64 = 1000
    var maximumQuarantine: Int64 = 3_600_000
    /// How long the last counter of a client is remembered: 24 hours.
    var commandMemory: Int64 = 24 * 3_600_000
    /// Kept cycles of a widget.
    var history = 64
    /// Answered lease requests that are remembered, so that a late copy of one takes no leases.
    var rememberedLeaseRequests = 1024
    /// Waiting askers of one command.
    var waitersPerCommand = 16
}
