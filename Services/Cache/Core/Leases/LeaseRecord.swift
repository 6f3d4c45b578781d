// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The stored record of a lease that is in flight: one fetcher may fetch the source until `expires`.
struct LeaseRecord: Hashable, Sendable {
    var id: LeaseID
    /// The id of the lease request that got the lease; a retry with this id gets the same lease.
    var request: String
    var expires: Instant
    /// The host of the source.
    ///
    /// The host counts as busy while the lease is in flight, even if no widget uses the source any more.
    var host = ""
    /// A Boolean value that indicates whether a source that has moved is fetched from its configured address.
    var asksConfiguredAddress = false
    /// The time at which the attempt was to begin, if the source is fetched when it is shown; nil if it is unknown.
    ///
    /// It is not stored.
    var plannedStart: Instant?
}
