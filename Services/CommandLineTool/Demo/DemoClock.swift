// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The choice of a time zone in which a new day begins soon.
///
/// A demo in this time zone shows the change of the day within its first minutes.
enum DemoClock {
    /// The assumed time from the start of the demo until its first widgets are shown, in milliseconds.
    static let start: Int64 = 8_000
    private static let minute: Int64 = 60_000
    private static let minutesOfDay: Int64 = 1440

    /// Returns a time zone with a fixed offset, such as `GMT+0537`, in which a new day begins soon after `now`.
    ///
    /// The new day begins at the first full minute that is later than `now` plus `start`.
    static func timeZone(at now: Instant) -> String {
        let ready = now.advanced(byMilliseconds: start).milliseconds
        let midnight = (ready / minute + 1) % minutesOfDay
        // West of Greenwich, midnight comes later by the offset of the zone.
        let behind = midnight
        let isWest = behind <= minutesOfDay / 2
        let offset = isWest ? behind : minutesOfDay - behind
        return "GMT\(isWest ? "-" : "+")\((offset / 60).padded(to: 2))\((offset % 60).padded(to: 2))"
    }
}
