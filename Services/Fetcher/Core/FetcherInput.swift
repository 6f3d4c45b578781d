// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceFetching
import WidgetSchema

/// Names a lease request among those of this fetcher.
typealias AskNumber = UInt64

/// An input of the fetcher's core.
enum FetcherInput: Sendable {
    case leases(AskNumber, LeaseAnswer)
    case askFailed(AskNumber)
    case fetched(LeaseID, FetchOutcome)
    /// The answer calls for a second request.
    case asksAgain(LeaseID, FollowUp)
    /// The process was told to stop.
    case stop
    /// The end of a batch, or a deadline.
    case tick
}

/// An effect of the fetcher after a batch.
enum FetcherEffect: Hashable, Sendable {
    case ask(AskNumber, LeaseRequest)
    /// Asks the leased address, first or as the answer before calls for, and has an outcome by then, in milliseconds
    /// since the start.
    case fetch(Lease, after: FollowUp? = nil, by: Int64)
    case abort(LeaseID)
    /// Publishes an outcome; the same one again where it did not arrive.
    case publish(SourceID, FetchOutcome)
    case count(FetcherCounter)
}

/// The counters of the fetcher.
enum FetcherCounter: String, CaseIterable, Sendable {
    case fetches
    case republished
    /// Leases that arrived too late to be begun.
    case lateLeases
    case aborted
    /// Fetches that were ended because their host asked for fewer requests.
    case heldBack
}
