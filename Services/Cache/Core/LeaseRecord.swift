// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// An open lease.
struct LeaseRecord: Codable, Hashable, Sendable {
    var id: LeaseID
    /// The request that got it: the same request gets it again.
    var request: String
    var expires: Instant
    /// Where the source is fetched: the host is asked there as long as the lease is open, also when nobody wants the source
    /// any more.
    var host = ""
}
