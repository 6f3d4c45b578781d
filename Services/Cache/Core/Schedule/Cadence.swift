// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The usual interval between changes of a source, learned from its changes.
struct Cadence: Codable, Hashable, Sendable {
    /// The minimum number of measured intervals between changes; with fewer, a source never counts as silent.
    static let leastIntervals = 4
    /// The number of average intervals (`usualInterval`) that must pass without a change before a source counts as silent.
    ///
    /// At least the time `minimumSilence` must pass, too.
    static let silenceFactor: Int64 = 10
    /// The minimum time without a change before a source counts as silent: one day.
    static let minimumSilence: Duration = .seconds(24 * 3_600)
    /// The divisor of the moving average: each new interval adds a quarter of its difference from the average.
    private static let weight: Int64 = 4

    private(set) var lastChange: Instant
    private var intervalMilliseconds: Int64 = 0
    private(set) var intervals = 0

    private enum CodingKeys: String, CodingKey {
        case lastChange
        case intervalMilliseconds = "pause"
        case intervals = "pauses"
    }

    init(firstChange: Instant) { lastChange = firstChange }

    /// The moving average of the intervals between changes; each new interval has a weight of a quarter.
    var usualInterval: Duration { .milliseconds(intervalMilliseconds) }

    mutating func change(at now: Instant) {
        let latest = max(0, now.milliseconds(since: lastChange))
        lastChange = now
        intervalMilliseconds =
            intervals == 0 ? latest : intervalMilliseconds + (latest - intervalMilliseconds) / Self.weight
        intervals = min(intervals + 1, Self.leastIntervals)
    }

    /// The time from which the source counts as silent, unless the source changes earlier.
    ///
    /// The value is nil if fewer than `leastIntervals` intervals between changes were measured, or if the time is too far
    /// in the future to be represented.
    var silentFrom: Instant? {
        guard intervals >= Self.leastIntervals else { return nil }
        let silence = intervalMilliseconds.multipliedReportingOverflow(by: Self.silenceFactor)
        guard !silence.overflow else { return nil }
        return lastChange.advanced(by: max(.milliseconds(silence.partialValue), Self.minimumSilence))
    }
}
