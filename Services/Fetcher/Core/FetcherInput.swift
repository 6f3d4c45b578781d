// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceFetching
import WidgetSchema

/// The number of a lease request of this fetcher.
typealias AskNumber = UInt64

/// An input of a fetcher's core.
enum FetcherInput: Sendable {
    case leases(AskNumber, LeaseAnswer)
    case askFailed(AskNumber)
    case fetched(LeaseID, FetchOutcome)
    /// The answer requires a second request.
    case asksAgain(LeaseID, FollowUp)
    /// The process was told to stop.
    case stop
    /// The end of a batch, or a deadline.
    case tick
}

/// An action of a fetcher; actions are performed in order.
enum FetcherEffect: Hashable, Sendable {
    case ask(AskNumber, LeaseRequest)
    /// Sends the first request or a follow-up for a lease. The outcome must be there at `by`, in milliseconds since the
    /// start.
    case fetch(Lease, after: FollowUp? = nil, by: Int64)
    case abort(LeaseID)
    /// Publishes an outcome; again if it did not arrive.
    case publish(SourceID, FetchOutcome)
    case count(FetcherCounter)
}

/// The counters of a fetcher.
enum FetcherCounter: String, CaseIterable, Sendable {
    case fetches
    case republished
    /// Leases that arrived too late to be started.
    case lateLeases
    case aborted
    /// Fetches that were ended or not started because their host asked for fewer requests.
    case heldBack
}
