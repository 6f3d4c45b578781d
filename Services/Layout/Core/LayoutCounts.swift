// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The counters of the layout service since its start.
struct LayoutCounts: Equatable, Sendable {
    /// Cycles laid out and published.
    var cycles: Int64 = 0
    /// Cycles laid out again on request.
    var replayed: Int64 = 0
    /// Layouts published because their digest changed.
    var layouts: Int64 = 0
    /// Layouts too large for a frame, published without their tree.
    var layoutsTooLarge: Int64 = 0
    /// Questions to the cache for a content that was not here.
    var contentsAsked: Int64 = 0
    /// Cycles with a number that the cache cannot have given.
    var cyclesImplausible: Int64 = 0
    /// Contents that did not have the digest they were named by.
    var contentsRefused: Int64 = 0
    /// Cycles that were not laid out because their content was not available; consumers request them again.
    var cyclesDropped: Int64 = 0
    /// Requests that were rejected because too many were waiting for the cache.
    var requestsRefused: Int64 = 0

    /// By the name that metrics have.
    var named: [String: Int64] {
        [
            "layout.cycles": cycles,
            "layout.replayed": replayed,
            "layout.layouts": layouts,
            "limit.layout.clientFrame": layoutsTooLarge,
            "layout.contentsAsked": contentsAsked,
            "layout.cyclesImplausible": cyclesImplausible,
            "layout.contentsRefused": contentsRefused,
            "layout.cyclesDropped": cyclesDropped,
            "limit.layout.waitingRequests": requestsRefused,
        ]
    }
}
