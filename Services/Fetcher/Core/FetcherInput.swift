// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceFetching
import WidgetSchema

/// The sequence number of a lease request that this fetcher sends.
typealias LeaseRequestNumber = UInt64

/// An input of a fetcher's core: the result of a lease request or of a fetch, the command to stop, or a tick.
enum FetcherInput: Sendable {
    case leases(LeaseRequestNumber, LeaseAnswer)
    case askFailed(LeaseRequestNumber)
    case fetched(LeaseID, FetchOutcome)
    /// The origin's answer requires a second request within the same lease; the `FollowUp` describes this request.
    case asksAgain(LeaseID, FollowUp)
    /// The process was told to stop.
    case stop
    /// A batch of inputs has ended, or a deadline has passed.
    case tick
}

/// An action of a fetcher; actions are performed in order.
enum FetcherEffect: Hashable, Sendable {
    case ask(LeaseRequestNumber, LeaseRequest)
    /// Sends a lease's request to the origin: the first request if `after` is nil, otherwise the second one.
    ///
    /// `after` describes the second request. The transfer must have ended when the duration `by` has passed since
    /// ``FetcherCore/origin``.
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
