// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The counters of the layout service since its start.
struct LayoutCounts: Equatable, Sendable {
    /// The number of cycles that were laid out and published.
    var cycles: Int64 = 0
    /// The number of cycles that were laid out again on request.
    var replayed: Int64 = 0
    /// The number of published layouts; a layout is published if its digest changed, or after a gap in the cycles.
    var layouts: Int64 = 0
    /// The number of requests to the cache for a missing content.
    var contentsAsked: Int64 = 0
    /// The number of cycles with a sequence number more than a day above the clock.
    var cyclesImplausible: Int64 = 0
    /// The number of contents that did not have the expected digest.
    var contentsRefused: Int64 = 0
    /// The number of dropped cycles: their content was not available, or their event could not be encoded.
    ///
    /// Consumers notice that the cycles are missing, and request a replay of them.
    var cyclesDropped: Int64 = 0
    /// The number of requests that were rejected because too many were waiting for the cache.
    var requestsRefused: Int64 = 0

    /// The counters by their names in metrics.
    var named: [String: Int64] {
        [
            "layout.cycles": cycles,
            "layout.replayed": replayed,
            "layout.layouts": layouts,
            "layout.contentsAsked": contentsAsked,
            "layout.cyclesImplausible": cyclesImplausible,
            "layout.contentsRefused": contentsRefused,
            "layout.cyclesDropped": cyclesDropped,
            "limit.layout.waitingRequests": requestsRefused,
        ]
    }
}
