// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import SourceFetching
import WidgetSchema

/// The sequence number of a lease request that this fetcher sends.
typealias LeaseRequestNumber = UInt64

/// An input of a fetcher's core: the result of a lease request or of a fetch, the command to stop, or a tick.
enum FetcherInput: Sendable {
    case leases(LeaseRequestNumber, LeaseAnswer)
    case leaseRequestFailed(LeaseRequestNumber)
    case fetched(LeaseID, FetchOutcome)
    /// The origin's answer requires a second request within the same lease; the `FollowUp` describes this request.
    case needsFollowUp(LeaseID, FollowUp)
    /// The process was told to stop.
    case stop
    /// A batch of inputs has ended, or a deadline has passed.
    case tick
}
