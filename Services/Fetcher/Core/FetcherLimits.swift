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
    /// The minimum room for new leases at which the fetcher requests leases while other leases wait for a slot.
    ///
    /// The room is `slots` + `leasesAhead`, minus the leases that wait or use a slot. It is at most `unacknowledged`,
    /// minus the unacknowledged outcomes. If no lease waits for a slot, room for one lease is enough. A request that
    /// lists unacknowledged outcomes is sent even if there is less room, and requests leases for the room that is left.
    var leaseBatch = 64
    /// The maximum number of unacknowledged outcomes.
    ///
    /// When it is reached, the fetcher requests no leases until the cache has acknowledged some outcomes.
    var unacknowledged = 2048
    /// The timeout of a lease request.
    ///
    /// If no lease is available, the cache delays its answer for at most half of this time.
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
    /// The pause after a lease request that failed, or after an answer that lists missing outcomes.
    ///
    /// The request lists the leases whose outcomes are not acknowledged. The answer lists those of them whose outcomes
    /// the cache has not received. There is no pause if the answer also contains new leases and the fetcher has room
    /// for more (see `leaseBatch`).
    var nextRequestPause: Duration = .milliseconds(250)
    /// The maximum time for which fetches continue after the fetcher was told to stop.
    var stopTimeout: Duration = .milliseconds(1500)
}
