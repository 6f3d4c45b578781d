// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
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

/// An entry of the queue of lease expiries; the entry with the earliest time sorts first.
struct LeaseExpiry: Comparable, Sendable {
    var at: Instant
    var source: SourceID
    var lease: LeaseID

    static func < (left: LeaseExpiry, right: LeaseExpiry) -> Bool {
        (left.at, left.source) < (right.at, right.source)
    }
}

/// A lease request that waits for its answer.
struct ParkedLeaseRequest: Sendable {
    var requester: RequesterID
    var requestID: String
    var slots: Int
    /// The version of the fetcher's parser; nil if the request does not contain it.
    var parserVersion: Int?
    /// The ids of the leases to report in ``LeaseAnswer/open``.
    ///
    /// The fetcher has published the outcomes of these leases, but the cache has not received the outcomes yet.
    var open: [LeaseID]
    /// The time at which the request is answered even if no lease was granted.
    var until: Instant
    var leases: [Lease] = []
}

/// The ids of requests that were answered recently; the oldest ones are removed first.
struct RecentRequests: Sendable {
    private let capacity: Int
    private var known: Set<String> = []
    private var ring: [String] = []
    private var oldest = 0

    init(capacity: Int) { self.capacity = capacity }

    func contains(_ request: String) -> Bool { known.contains(request) }

    mutating func insert(_ request: String) {
        guard capacity > 0, known.insert(request).inserted else { return }
        if ring.count < capacity {
            ring.append(request)
        } else {
            known.remove(ring[oldest])
            ring[oldest] = request
            oldest = (oldest + 1) % capacity
        }
    }
}

/// The sender of a lease request, with the id of the request and the time that the sender waits for the answer.
struct LeaseRequester {
    let id: RequesterID
    let requestID: String
    let timeout: Duration

    /// Creates a requester whose timeout is `deadlineMilliseconds`; a negative value counts as 0.
    init(_ id: RequesterID, requestID: String, deadlineMilliseconds: Int) {
        self.id = id
        self.requestID = requestID
        timeout = .milliseconds(max(deadlineMilliseconds, 0))
    }
}
