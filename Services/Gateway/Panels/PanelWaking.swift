// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The decision when a panel wakes next.
enum PanelWaking {
    /// The sleeps that a panel is ever told, in seconds: the firmware has neither a minimum nor a maximum of its own.
    static let seconds: ClosedRange<Int64> = 60...86_400

    struct Situation: Hashable, Sendable {
        var panel: SleepingPanel
        var now: Instant
        /// The time until which the panel was told to sleep; nil if it was not.
        var sleepUntil: Instant?
        /// The deviation of the panel's clock as a fraction; see ``PanelRecord/drift``.
        var drift: Double?
        /// The next change of the board that is certain; nil if there is none.
        var nextCertainChange: Instant?
    }

    /// Returns the time that a panel sleeps, in seconds.
    static func sleepSeconds(_ situation: Situation) -> Int64 {
        let (panel, now) = (situation.panel, situation.now)
        // Tests have panels that sleep for seconds.
        let shortest = min(seconds.lowerBound, panel.minimumSleep.components.seconds)
        let bounds = max(shortest, 1)...seconds.upperBound
        func sleep(until instant: Instant) -> Int64 {
            min(max(instant.milliseconds(since: now) / 1_000, bounds.lowerBound), bounds.upperBound)
        }
        if let until = situation.sleepUntil, until > now { return sleep(until: until) }
        let wake = now.advanced(by: min(panel.interval, panel.maximumSleep))
        guard let quiet = panel.quietHours, let days = LocalDays(identifier: panel.timeZone),
            let end = quiet.end(around: wake, in: days)
        else { return sleep(until: wake) }
        return sleep(until: end)
    }
}
