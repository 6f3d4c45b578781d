// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The grace for stale marks after a time in which the cache did not run.
///
/// Content that was not confirmed meanwhile is not stale before its source could be fetched again. Otherwise, a panel would
/// draw a mark at each start after a long stop, and remove it a second later.
struct StaleMarkGrace: Sendable {
    private(set) var end = Instant(milliseconds: 0)
    private var lastTick: Instant?

    /// Begins the grace at a start, or after the clock was set.
    mutating func begin(_ grace: Duration, now: Instant) { end = now.advanced(by: grace) }

    /// Records that the core runs, and returns whether the grace begins.
    ///
    /// It does if the core did not run for longer than `grace`, such as on a suspended machine.
    mutating func tick(_ grace: Duration, now: Instant) -> Bool {
        defer { lastTick = now }
        guard let lastTick, now > lastTick.advanced(by: grace) else { return false }
        begin(grace, now: now)
        return true
    }
}
