// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits and timeouts of a fetcher.
struct FetcherLimits: Hashable, Sendable {
    /// The maximum number of concurrent transfers; each of them uses one slot.
    var slots = 256
    /// The maximum number of leases that wait for a slot.
    ///
    /// Waiting leases keep the slots in use while the next leases are requested.
    var leasesAhead = 128
    /// The minimum number of leases that the fetcher requests while other leases wait for a slot.
    ///
    /// A request asks for as many leases as the fetcher can take. The fetcher holds at most `slots` + `leasesAhead`
    /// leases, or fewer if its unacknowledged outcomes are close to their maximum. A request may ask for fewer leases
    /// than this minimum if no lease waits for a slot, or if the request lists unacknowledged outcomes.
    var leaseBatch = 64
    /// The maximum number of unacknowledged outcomes.
    ///
    /// When it is reached, the fetcher requests no leases until the cache has acknowledged some outcomes.
    var unacknowledged = 2048
    /// The timeout of a lease request.
    ///
    /// If no lease is available, the cache delays its answer, for at most half of this time; its own limit is shorter (2 s by
    /// default).
    var requestDeadline: Duration = .seconds(10)
    /// The minimum remaining time of a lease; if less time is left, the fetch is not started.
    var leastLeaseLeft: Duration = .milliseconds(600)
    /// The minimum time between the end of a transfer and the end of its lease.
    ///
    /// The fetcher needs this time to parse the answer and to deliver the outcome to the cache.
    var outcomeMargin: Duration = .milliseconds(550)
    /// The remaining time of a lease at which an unfinished fetch is aborted.
    var abortMargin: Duration = .milliseconds(300)
    /// The time after which an unacknowledged outcome is published again.
    var republishInterval: Duration = .seconds(1)
    /// The pause before the next lease request if the last one failed.
    ///
    /// There is also a pause if the answer to the last request lists outcomes that the cache has not received. This
    /// pause is skipped if the answer also contains leases and the fetcher can take more leases (see `leaseBatch`).
    var nextRequestPause: Duration = .milliseconds(250)
    /// The maximum time for which fetches continue after the fetcher was told to stop.
    var stopTimeout: Duration = .milliseconds(1500)
}
