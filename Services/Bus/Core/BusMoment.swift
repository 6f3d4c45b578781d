// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

/// A reading of two clocks: monotonic time for liveness, wall-clock time for events.
package struct BusMoment: Sendable {
    package var monotonic: ContinuousClock.Instant
    package var wall: Instant

    package init(monotonic: ContinuousClock.Instant, wall: Instant) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
