// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// The parts of a date, which `instant` validates and combines.
struct DateParts {
    var year: Int64?
    var month: Int64?
    var day: Int64?
    var hour: Int64 = 0
    var minute: Int64 = 0
    var second: Int64 = 0
    var milliseconds: Int64 = 0
    var offsetMinutes: Int64 = 0

    var instant: Instant? {
        guard let year, (1...9999).contains(year), let month, (1...12).contains(month), let day,
            (1...FeedDate.days(in: month, of: year)).contains(day), hour <= 24, minute < 60, second <= 60,
            hour < 24 || (minute == 0 && second == 0), (-12 * 60...14 * 60).contains(offsetMinutes)
        else { return nil }
        let seconds = hour * 3600 + (minute - offsetMinutes) * 60 + second
        return Instant(year: year, month: month, day: day, millisecondsOfDay: seconds * 1000 + milliseconds)
    }
}
