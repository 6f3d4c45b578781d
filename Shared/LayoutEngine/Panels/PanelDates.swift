// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension LayoutEnvironment {
    /// The number of days before today that are called by the name of their weekday.
    private static let namedDays = 6
    /// The number of days before today that are written without their year.
    private static let daysWithoutYear = 300

    /// Returns a date as a panel shows it: the time of day today, the weekday within the last six days, or the date.
    ///
    /// The result changes at midnight only. It is nil if the instant is nil or not in the years 1 to 9999.
    func panelDate(_ instant: Instant?) -> String? {
        guard let instant, date(instant) != nil else { return nil }
        let own = day(of: instant)
        switch today.daysSince1970 - own.daysSince1970 {
        case 0: return timeOfDay(instant)
        case 1...Self.namedDays: return name(of: own, length: .abbreviated)
        case -Self.daysWithoutYear...Self.daysWithoutYear where moment.definition.dateStyle != .short:
            return dayAndMonth(instant)
        default: return moment.definition.dateStyle == .short ? date(instant) : monthAndYear(instant)
        }
    }

    /// Returns an instant in forms from the longest to the shortest, the longest one with the time of day.
    ///
    /// Days are called as in ``panelDate(_:)``.
    func panelTimes(_ instant: Instant) -> [String] {
        guard date(instant) != nil else { return [] }
        let time = timeOfDay(instant)
        guard let shown = panelDate(instant), shown != time else { return [time] }
        return ["\(shown) \(time)", shown]
    }

    /// Returns the number of posts that were published today, in the locale's digits; nil if there are none.
    ///
    /// A feed with as many posts as are kept may have had more: its number ends with a plus sign.
    func postsToday(in feed: FeedContent) -> String? {
        let count = feed.items.count { item in
            item.shownDate.map { date($0) != nil && day(of: $0) == today } ?? false
        }
        guard count > 0, let number = text(.number(RowNumber(Double(count)))) else { return nil }
        return count >= FeedContent.maximumItems ? number + "+" : number
    }

    /// The current day at the place of the display in forms from the longest to the shortest, such as
    /// `Saturday, November 28` and `Sat, Nov 28`.
    var headerDates: [String] { [headerDate(isLong: true), headerDate(isLong: false)] }
}
