// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The formatting of times as dates in UTC; times are numbers of seconds since 1970.
enum FeedDateText {
    /// Returns a date such as `Thu, 20 Nov 2025 08:00:00 GMT` (RFC 9110 §5.6.7), which RSS also uses.
    static func rfc1123(_ seconds: Int) -> String { HTTPDate.text(Int64(seconds)) }

    /// Returns a date such as `2025-11-20T08:00:00Z` (RFC 3339).
    static func rfc3339(_ seconds: Int) -> String {
        String(Instant(milliseconds: Int64(seconds) * 1000).description.prefix(19)) + "Z"
    }

    /// Returns a date such as `2025-11-20`; `days` is the number of days since 1970-01-01.
    static func day(_ days: Int) -> String { CalendarDate(daysSince1970: days).description }
}
