// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The text form of durations in configurations: `500ms`, `30s`, `5m`, `2h`, `1d`.
package enum DurationText {
    private static let units: [(suffix: String, milliseconds: Int64)] = [
        ("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]

    /// Parses a duration; returns nil if the text is not a whole number with a unit, or if the number is too large.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let suffix = text[digits.endIndex...]
        guard let number = Int64(digits), let unit = units.first(where: { $0.suffix == suffix }) else { return nil }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit.milliseconds)
        return overflow ? nil : .milliseconds(milliseconds)
    }

    /// Returns the duration that was probably meant by an invalid text such as `300` or `5 min`; nil if there is none.
    static func correction(of text: String) -> String? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text[digits.endIndex...].drop { $0 == " " }.lowercased()
        let suffix: String? =
            switch unit {
            case "", "sec", "secs", "second", "seconds", "s": "s"
            case "min", "mins", "minute", "minutes", "m": "m"
            case "hr", "hrs", "hour", "hours", "h": "h"
            case "day", "days", "d": "d"
            default: nil
            }
        return suffix.map { "\(digits)\($0)" }.flatMap { parse($0) == nil ? nil : $0 }
    }

    /// Returns the duration as a whole number of the largest possible unit: `5m`, not `300s`.
    package static func text(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        let unit = units.last { milliseconds % $0.milliseconds == 0 && milliseconds != 0 } ?? units[1]
        return "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }
}
