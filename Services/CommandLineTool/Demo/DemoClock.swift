// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Where it is about to become midnight: so that a demo shows a new day within its first minute.
enum DemoClock {
    /// The services need so long until they show anything.
    static let start: Int64 = 8_000
    private static let minute: Int64 = 60_000
    private static let minutesOfDay: Int64 = 1440

    /// The zone at a fixed offset, `GMT+0537`, in which the next day begins with the next minute, or with the one after
    /// where that is too soon.
    static func timeZone(at now: Instant) -> String {
        let ready = now.advanced(byMilliseconds: start).milliseconds
        let midnight = (ready / minute + 1) % minutesOfDay
        // West of Greenwich it is midnight as many minutes later as the zone is behind.
        let behind = midnight
        let isWest = behind <= minutesOfDay / 2
        let offset = isWest ? behind : minutesOfDay - behind
        return "GMT\(isWest ? "-" : "+")\(two(offset / 60))\(two(offset % 60))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
