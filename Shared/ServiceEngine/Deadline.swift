// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The time, on the wall clock or the monotonic clock, at which a core has work to do even if no input arrives.
public enum Deadline: Hashable, Sendable {
    case wall(Instant)
    case monotonic(ContinuousClock.Instant)

    /// Returns the monotonic time at which the deadline passes.
    ///
    /// For a deadline on the wall clock, the result is valid only until the wall clock is set forward or back.
    public func monotonicTime(after now: ClockReading) -> ContinuousClock.Instant {
        switch self {
        case .monotonic(let instant): instant
        case .wall(let instant): now.monotonic + .milliseconds(max(0, instant.milliseconds(since: now.wall)))
        }
    }
}
