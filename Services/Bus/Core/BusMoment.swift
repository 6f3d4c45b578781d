// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

/// One moment on two clocks: liveness counts on the one that never jumps, events say the other.
package struct BusMoment: Sendable {
    package var monotonic: ContinuousClock.Instant
    package var wall: Instant

    package init(monotonic: ContinuousClock.Instant, wall: Instant) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
