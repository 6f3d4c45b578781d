// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The usual interval between changes of a source, learned from its changes.
struct Cadence: Codable, Hashable, Sendable {
    /// The minimum number of known pauses for a usable average.
    static let leastPauses = 4
    /// The multiple of the usual pause after which a source counts as silent.
    static let silence: Int64 = 10
    /// The minimum time without a change before a source counts as silent: one day, in milliseconds.
    static let leastSilence: Int64 = 24 * 3_600_000
    /// The divisor for the weight of a new pause in the moving average.
    private static let weight: Int64 = 4

    private(set) var lastChange: Instant
    /// The time between two changes in milliseconds, smoothed so that a single long pause has little influence.
    private(set) var pause: Int64 = 0
    private(set) var pauses = 0

    init(firstChange: Instant) { lastChange = firstChange }

    mutating func change(at now: Instant) {
        let latest = max(0, now.milliseconds(since: lastChange))
        lastChange = now
        pause = pauses == 0 ? latest : pause + (latest - pause) / Self.weight
        pauses = min(pauses + 1, Self.leastPauses)
    }

    /// The time from which the source counts as silent unless it changes; nil if too few pauses are known.
    var silentFrom: Instant? {
        guard pauses >= Self.leastPauses else { return nil }
        let silence = pause.multipliedReportingOverflow(by: Self.silence)
        guard !silence.overflow else { return nil }
        return lastChange.advanced(byMilliseconds: max(silence.partialValue, Self.leastSilence))
    }
}
