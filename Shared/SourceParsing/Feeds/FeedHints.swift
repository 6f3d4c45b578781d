// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The publisher's hints in a feed about when the feed changes.
///
/// Invalid hints are ignored when the feed is read.
public struct FeedHints: Hashable, Sendable {
    /// The maximum number of seconds in a hint; larger values are reduced to this maximum.
    public static let maximumSeconds = 366 * 24 * 3600

    /// The time in seconds for which the feed may be cached; the `ttl` of RSS 2.0, converted from minutes.
    public var timeToLiveSeconds: Int?
    /// The time between two changes, in seconds: `sy:updatePeriod` divided by `sy:updateFrequency`
    /// (https://web.resource.org/rss/1.0/modules/syndication/).
    public var updateIntervalSeconds: Int?
    /// The hours of the day, 0 to 23 in UTC, in which nothing is published (RSS 2.0, `skipHours`).
    public var skippedHours: Set<Int> = []
    /// The days of the week in UTC on which nothing is published, 1 for Monday to 7 for Sunday (RSS 2.0, `skipDays`).
    public var skippedDays: Set<Int> = []

    public init() {}

    /// A Boolean value that indicates whether the feed has no hints.
    public var isEmpty: Bool { self == FeedHints() }
}

extension FeedHints {
    /// The hints of a feed that is still being read.
    struct Draft {
        private(set) var hints = FeedHints()
        private var periodSeconds: Int?
        private var frequency = 1

        /// Stores the hint `field` with the value that `text` states; an invalid text is ignored.
        mutating func take(_ field: FeedField, _ text: String) {
            switch field {
            case .timeToLive:
                guard let minutes = Self.number(text), minutes > 0 else { return }
                hints.timeToLiveSeconds = min(minutes * 60, FeedHints.maximumSeconds)
            case .updatePeriod:
                periodSeconds = Self.period(text) ?? periodSeconds
            case .updateFrequency:
                frequency = max(1, Self.number(text) ?? 1)
            case .skippedHour:
                // Some feeds count the hours from 1 to 24.
                guard let hour = Self.number(text), (0...24).contains(hour) else { return }
                hints.skippedHours.insert(hour % 24)
            case .skippedDay:
                guard let day = Self.weekday(text) else { return }
                hints.skippedDays.insert(day)
            default:
                return
            }
        }

        func finished() -> FeedHints {
            var hints = hints
            hints.updateIntervalSeconds = periodSeconds.map { max(1, $0 / frequency) }
            return hints
        }

        /// Returns the number at the beginning of a text; nil if the text does not begin with a digit.
        ///
        /// If the number has more than six digits, only its first six digits are used.
        private static func number(_ text: String) -> Int? {
            Int(PlainText.trimmed(text).prefix { $0.isASCII && $0.isNumber }.prefix(6))
        }

        private static func period(_ text: String) -> Int? {
            let day = 24 * 3600
            return switch PlainText.trimmed(text).lowercased() {
            case "hourly": 3600
            case "daily": day
            case "weekly": 7 * day
            case "monthly": 30 * day
            case "yearly": 365 * day
            default: nil
            }
        }

        private static func weekday(_ text: String) -> Int? {
            let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            return days.firstIndex(of: PlainText.trimmed(text).lowercased()).map { $0 + 1 }
        }
    }
}
