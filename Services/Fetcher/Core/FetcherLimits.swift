// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The limits and timeouts of a fetcher.
struct FetcherLimits: Hashable, Sendable {
    /// The maximum number of concurrent transfers.
    var slots = 256
    /// The maximum number of leases that wait for a slot, so that slots are in use while the next leases are requested.
    var leasesAhead = 128
    /// The minimum number of leases for which a request is sent, unless no lease is waiting.
    var leaseBatch = 64
    /// The maximum number of unacknowledged outcomes; beyond it, the fetcher waits until the cache catches up.
    var unacknowledged = 2048
    /// The timeout of a lease request; the cache delays its answer for at most half of it.
    var requestDeadline: Duration = .seconds(10)
    /// The minimum remaining time of a lease for its fetch to be started.
    var leastLeaseLeft: Duration = .milliseconds(600)
    /// The time before a lease's end at which its transfer must have ended, so that its outcome arrives in time.
    var outcomeMargin: Duration = .milliseconds(550)
    /// The time before a lease's end at which a fetch without an outcome is aborted.
    var leaseMargin: Duration = .milliseconds(300)
    /// The time after which an unacknowledged outcome is published again.
    var republishInterval: Duration = .seconds(1)
    /// The pause between lease requests that report unacknowledged outcomes, and after a failed lease request.
    var reportInterval: Duration = .milliseconds(250)
    /// The maximum time for which fetches continue after the stop.
    var stopTimeout: Duration = .milliseconds(1500)
}
