// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Telemetry
public import WidgetSchema

extension Health {
    mutating func set(_ metrics: Metrics.Reading) {
        counters = metrics.counters
        gauges = metrics.gauges
        histograms = metrics.histograms.mapValues(DurationHistogram.init)
    }
}

extension DurationHistogram {
    /// Converts a histogram of this process to the form that heartbeats contain.
    public init(_ reading: Histogram.Reading) {
        self.init(
            boundsMicroseconds: Histogram.bounds.map(\.microseconds),
            counts: reading.counts,
            sumMicroseconds: reading.sum.microseconds
        )
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
