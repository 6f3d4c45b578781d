// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// An open lease.
struct LeaseRecord: Codable, Hashable, Sendable {
    var id: LeaseID
    /// The request that got it: the same request gets it again.
    var request: String
    var expires: Instant
    /// The host of the source: it is in use as long as the lease is open, even if no widget uses the source any more.
    var host = ""
}
