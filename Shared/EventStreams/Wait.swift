// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A wait that began at one moment and lasts so many milliseconds.
///
/// Wall clocks are set back at times: a moment before the wait's beginning counts as its end, so nothing waits for hours.
struct Wait: Hashable, Sendable {
    var since: Instant
    var milliseconds: Int64

    var end: Instant { since.advanced(byMilliseconds: milliseconds) }

    func isOver(at now: Instant) -> Bool { now >= end || now < since }

    /// Lets a wait that began after this moment, by a clock that was set back since, be over.
    mutating func end(ifLaterThan now: Instant) {
        if now < since { self = Wait(since: now, milliseconds: 0) }
    }
}
