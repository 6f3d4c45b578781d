// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The typical interval between a source's changes, learned from them.
struct Cadence: Codable, Hashable, Sendable {
    /// The minimum number of known pauses before the next one is predicted.
    static let leastPauses = 4
    /// A source is silent when it has not changed for so many times its usual pause.
    static let silence: Int64 = 10
    /// And for at least a day: nobody misses what has been quiet for an hour.
    static let leastSilence: Int64 = 24 * 3_600_000
    /// The weight of the earlier pauses against a new one.
    private static let weight: Int64 = 4

    private(set) var lastChange: Instant
    /// Between two changes, in milliseconds; smoothed, so that one holiday is not the rule.
    private(set) var pause: Int64 = 0
    private(set) var pauses = 0

    init(firstChange: Instant) { lastChange = firstChange }

    mutating func change(at now: Instant) {
        let latest = max(0, now.milliseconds(since: lastChange))
        lastChange = now
        pause = pauses == 0 ? latest : pause + (latest - pause) / Self.weight
        pauses = min(pauses + 1, Self.leastPauses)
    }

    /// From when on the source counts as silent unless it changes; nil while too little is known.
    var silentFrom: Instant? {
        guard pauses >= Self.leastPauses else { return nil }
        let patience = pause.multipliedReportingOverflow(by: Self.silence)
        guard !patience.overflow else { return nil }
        return lastChange.advanced(byMilliseconds: max(patience.partialValue, Self.leastSilence))
    }
}
