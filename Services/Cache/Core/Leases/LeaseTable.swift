// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The leases in flight, in the forms in which they are looked up, and the requests for leases.
struct LeaseTable: Sendable {
    var expiries = Heap<LeaseExpiry>()
    /// The source of each lease that has not ended, by the id of the lease.
    ///
    /// `byRequest` contains the same sources by the id of the lease request.
    var byID: [LeaseID: SourceID] = [:]
    var byRequest: [String: Set<SourceID>] = [:]
    /// The number of leases that this core has granted; it is part of their ids.
    var granted: UInt64 = 0
    /// The lease requests that wait until a source is due, the oldest first.
    var parked: [ParkedLeaseRequest] = []
    /// The ids of answered lease requests, which are kept so that a repeated request gets no second set of leases.
    ///
    /// The list of a new core is empty, so a repeated request may get new leases. The fetcher drops these leases, and
    /// their sources are fetched only after the leases expire.
    var answered = RecentRequests(capacity: 0)
}
