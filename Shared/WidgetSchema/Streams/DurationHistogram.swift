// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A histogram of the durations that a process has measured since its start.
public struct DurationHistogram: Codable, Hashable, Sendable {
    /// The inclusive upper bounds of the buckets in microseconds, in ascending order.
    public var boundsMicroseconds: [Int64]
    /// The number of durations in each bucket, not cumulative.
    ///
    /// There is one element more than in ``boundsMicroseconds``: the last one counts the durations above all bounds.
    public var counts: [Int64]
    /// The sum of all durations, in microseconds.
    public var sumMicroseconds: Int64

    public init(boundsMicroseconds: [Int64], counts: [Int64], sumMicroseconds: Int64) {
        self.boundsMicroseconds = boundsMicroseconds
        self.counts = counts
        self.sumMicroseconds = sumMicroseconds
    }
}
