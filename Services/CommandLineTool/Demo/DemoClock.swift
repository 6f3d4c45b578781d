// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of a time zone in which midnight is near, so that a demo shows a new day within its first minutes.
enum DemoClock {
    /// The time from the start until the services show something, in milliseconds.
    static let start: Int64 = 8_000
    private static let minute: Int64 = 60_000
    private static let minutesOfDay: Int64 = 1440

    /// Returns a zone with a fixed offset, such as `GMT+0537`, in which midnight is the first full minute after `start`
    /// has passed.
    static func timeZone(at now: Instant) -> String {
        let ready = now.advanced(byMilliseconds: start).milliseconds
        let midnight = (ready / minute + 1) % minutesOfDay
        // West of Greenwich, midnight comes later by the offset of the zone.
        let behind = midnight
        let isWest = behind <= minutesOfDay / 2
        let offset = isWest ? behind : minutesOfDay - behind
        return "GMT\(isWest ? "-" : "+")\(two(offset / 60))\(two(offset % 60))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
