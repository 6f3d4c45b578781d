// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Dates as text, from seconds since 1970 in UTC, without a formatter and its locale.
enum FeedDate {
    /// `Thu, 20 Nov 2025 08:00:00 GMT` (RFC 9110 §5.6.7); RSS takes it too.
    static func rfc1123(_ seconds: Int) -> String {
        let date = Civil(seconds)
        return "\(weekdays[date.weekday]), \(two(date.day)) \(months[date.month - 1]) \(date.year) \(date.time) GMT"
    }

    /// `2025-11-20T08:00:00Z` (RFC 3339).
    static func rfc3339(_ seconds: Int) -> String {
        let date = Civil(seconds)
        return "\(date.year)-\(two(date.month))-\(two(date.day))T\(date.time)Z"
    }

    /// `2025-11-20`, from days since 1970.
    static func day(_ days: Int) -> String { String(rfc3339(days * 86_400).prefix(10)) }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// A date of the Gregorian calendar, for years 1970 and later.
    private struct Civil {
        var year = 1970
        var month = 1
        var day: Int
        var weekday: Int
        var time: String

        init(_ seconds: Int) {
            let (days, rest) = max(0, seconds).quotientAndRemainder(dividingBy: 86_400)
            time = "\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
            // 1970 began with a Thursday.
            weekday = (days + 4) % 7
            day = days + 1
            while day > (Self.isLeap(year) ? 366 : 365) {
                day -= Self.isLeap(year) ? 366 : 365
                year += 1
            }
            while day > Self.length(of: month, in: year) {
                day -= Self.length(of: month, in: year)
                month += 1
            }
        }

        private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

        private static func length(of month: Int, in year: Int) -> Int {
            switch month {
            case 2: isLeap(year) ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        }
    }
}
