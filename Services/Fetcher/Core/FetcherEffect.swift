// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceFetching
import WidgetSchema

/// An effect of the fetcher core; effects are performed in order.
enum FetcherEffect: Hashable, Sendable {
    case ask(LeaseRequestNumber, LeaseRequest)
    /// Sends a lease's request to the origin: the first request if `after` is nil, otherwise the second one.
    ///
    /// `after` describes the second request. The transfer must have ended when the duration `by` has passed since
    /// ``FetcherCore/clockStart``.
    case fetch(Lease, after: FollowUp? = nil, by: Duration)
    case abort(LeaseID)
    /// Publishes an outcome; the core repeats this effect until the outcome is acknowledged.
    case publish(SourceID, FetchOutcome)
    case count(FetcherCounter)
}

/// The counters of a fetcher.
enum FetcherCounter: String, CaseIterable, Sendable {
    case fetches
    case republished
    /// The number of leases whose fetch was not started because the remaining time of the lease was too short.
    case lateLeases
    case aborted
    /// The number of fetches that were aborted or not started, because the origin's host limits the rate of requests.
    ///
    /// The host reported the limit in its answer to another fetch.
    case heldBack
}
