// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A histogram of durations since the start of the process.
public struct DurationHistogram: Codable, Hashable, Sendable {
    /// The upper bounds of the buckets in microseconds, in ascending order.
    public var boundsMicroseconds: [Int64]
    /// The number of durations in each bucket, not cumulative.
    ///
    /// There is one more element than bounds: the last one counts the durations above all bounds.
    public var counts: [Int64]
    /// The sum of all durations, in microseconds.
    public var sumMicroseconds: Int64

    public init(boundsMicroseconds: [Int64], counts: [Int64], sumMicroseconds: Int64) {
        self.boundsMicroseconds = boundsMicroseconds
        self.counts = counts
        self.sumMicroseconds = sumMicroseconds
    }
}
