// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The time of one decision, read from the wall clock and the monotonic clock at once.
///
/// Read the clocks after the last input of a batch has arrived. An earlier reading would be outdated, because the wait
/// for inputs can be long.
public struct ClockReading: Hashable, Sendable {
    /// Wall-clock time, which can be set forward and back.
    public let wall: Instant
    /// Monotonic time, which includes the time that the machine is suspended.
    public let monotonic: ContinuousClock.Instant

    public init(wall: Instant, monotonic: ContinuousClock.Instant) {
        self.wall = wall
        self.monotonic = monotonic
    }

    /// Returns the amount by which the wall clock was set since an earlier reading: negative if it was set back, and
    /// about zero if it was not set.
    public func wallClockChange(since earlier: ClockReading) -> Duration {
        .milliseconds(wall.milliseconds(since: earlier.wall)) - (monotonic - earlier.monotonic)
    }
}
