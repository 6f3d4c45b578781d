// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The numbers that decide when a fetcher does what, in milliseconds where nothing else is said.
struct FetcherLimits: Hashable, Sendable {
    /// Transfers at once.
    var slots = 256
    /// Leases that wait for a slot, so that none is free while the next ones are on their way.
    var leasesAhead = 128
    /// The minimum number of leases that one request asks for, unless no lease is waiting.
    var leaseBatch = 64
    /// Outcomes that the cache has not acknowledged; with more the fetcher waits until the cache keeps up.
    var unacknowledged = 2048
    /// The deadline of a lease request in milliseconds; the cache delays its answer for at most half of it.
    var requestDeadline = 10_000
    /// A lease with less than this left is not begun.
    var leastLeaseLeft: Int64 = 600
    /// A transfer has ended so long before its lease, well or not, so that its outcome arrives in time.
    var outcomeMargin: Int64 = 550
    /// The time before the end of a lease, in milliseconds, at which a fetch without an outcome is aborted.
    var leaseMargin: Int64 = 300
    /// An outcome that has not arrived is published again after this.
    var republishInterval: Int64 = 1000
    /// The pause before the next report while outcomes have not arrived, or after a request that failed.
    var reportInterval: Int64 = 250
    /// The time, in milliseconds, that started fetches have after the stop.
    var stopPatience: Int64 = 1500
}
