// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Locking

/// A histogram of durations.
///
/// Safe on any thread.
public final class Histogram: Sendable {
    /// The inclusive upper bounds of the buckets, in ascending order.
    ///
    /// One more bucket counts the durations above the last bound.
    public static let bounds: [Duration] = [
        .milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100), .milliseconds(500),
        .milliseconds(2_500), .seconds(10),
    ]

    /// The state of a histogram at one time.
    public struct Reading: Hashable, Sendable {
        /// The number of durations in each bucket, not cumulative; the last element counts the durations above all
        /// bounds.
        public var counts: [Int64]
        public var sum: Duration
    }

    private let state = Lock(Reading(counts: Array(repeating: 0, count: bounds.count + 1), sum: .zero))

    public init() {}

    public func observe(_ duration: Duration) {
        let index = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += duration
        }
    }

    public var reading: Reading { state.withLock { $0 } }
}
