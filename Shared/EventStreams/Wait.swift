// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A wait that begins at an instant and lasts for a duration.
///
/// If the wall clock is set back to a time before the wait began, the wait ends, so that it does not last for hours.
public struct Wait: Hashable, Sendable {
    public var since: Instant
    public var duration: Duration

    public init(since: Instant, duration: Duration) {
        self.since = since
        self.duration = duration
    }

    public var end: Instant { since.advanced(by: duration) }

    /// Returns true if the wait has ended, also if `now` is before its beginning.
    public func isOver(at now: Instant) -> Bool { now >= end || now < since }

    /// Ends the wait if it began after `now`, which shows that the clock was set back.
    mutating func end(ifLaterThan now: Instant) {
        if now < since { self = Wait(since: now, duration: .zero) }
    }
}
