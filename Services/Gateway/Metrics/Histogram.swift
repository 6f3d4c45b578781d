// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Synchronization

/// Durations by how long they were, for Prometheus.
final class Histogram: Sendable {
    /// Upper bounds in seconds.
    static let bounds: [Double] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

    struct Snapshot: Sendable {
        /// The values up to each bound and beyond the last, not cumulated.
        var counts: [Int64]
        var seconds: Double
    }

    private let state = Mutex(Snapshot(counts: Array(repeating: 0, count: bounds.count + 1), seconds: 0))

    func observe(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.seconds += seconds
        }
    }

    var snapshot: Snapshot { state.withLock { $0 } }
}
