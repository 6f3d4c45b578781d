// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The conversion between Unix seconds and dates in HTTP headers, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110
/// §5.6.7).
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let secondsPerDay = 86_400

    package static func text(_ seconds: Int64) -> String {
        let (quotient, remainder) = Int(seconds).quotientAndRemainder(dividingBy: secondsPerDay)
        let (days, time) = remainder < 0 ? (quotient - 1, remainder + secondsPerDay) : (quotient, remainder)
        let date = CalendarDate(daysSince1970: days)
        let weekday = weekdays[((days % 7) + 7) % 7]
        return "\(weekday), \(two(date.day)) \(months[date.month - 1]) \(date.year) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; returns Unix seconds, or nil for any other form.
    ///
    /// If the result is nil, the caller ignores the header.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), words[3].count == 4, let year = Int(words[3])
        else { return nil }
        let parts = words[4].split(separator: ":").compactMap { Int($0) }
        guard parts.count == 3, (0...23).contains(parts[0]), (0...59).contains(parts[1]), (0...60).contains(parts[2])
        else { return nil }
        let ofDay = Int64(parts[0] * 3600 + parts[1] * 60 + parts[2])
        let date = Instant(year: Int64(year), month: Int64(month + 1), day: Int64(day), millisecondsOfDay: ofDay * 1000)
        return date.milliseconds / 1000
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
