// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The layout of the latest posts of a feed: rows with three labels for the title, the author and a short date.
///
/// All rows have the same height, with two exceptions. A row with a long title or author may be higher if there is
/// space. A row without an author or a date may be lower, because the label is omitted. Three labels and the padding
/// are 64 pt high at text size `large`. One whole row therefore fits the 110 pt of compact mode, and the six rows of
/// `todayClassic` with their footer fit the smallest phone.
struct FeedLayout: WidgetLayout {
    var empty: Placeholder { .empty(.noPosts) }

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard case .feed(let feed) = content, !feed.items.isEmpty else { return nil }
        let caption = environment.font(.caption1)
        let items = feed.items
        return TitledRows(
            count: items.count,
            details: [caption, caption],
            detailCount: { Self.detailCount(of: items, at: $0) },
            title: { Self.title(of: items, at: $0, environment) },
            detailLabels: { row in
                let author = Label(
                    DisplayText(items[row].author ?? ""),
                    .caption1,
                    color: .secondaryLabel,
                    lines: environment.isAccessibilitySize ? 2 : 1
                )
                let instant = items[row].shownDate
                let date = Label(
                    DisplayText(instant.flatMap { environment.date($0) } ?? ""),
                    .caption1,
                    color: .secondaryLabel
                ) { $0.shorterDates(instant).map { DisplayText($0) } }
                return [author, date]
            },
            target: { (items[$0].id, items[$0].link.flatMap(LayoutAction.opening(webLink:))) }
        ).table(in: environment)
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        guard case .feed(let feed) = content, !feed.items.isEmpty else { return nil }
        let title = Self.title(of: feed.items, at: 0, environment).string
        // Other displays use only the title, for the summary of the widget.
        guard environment.display.family.isAccessory else { return AccessoryLayout(symbol: .feed, title: title) }
        let item = feed.items[0]
        return AccessoryLayout(
            symbol: .feed,
            title: title,
            short: String(Self.newPosts(of: feed, environment)),
            details: [
                item.author.map { [$0] },
                item.shownDate.flatMap(environment.date).map {
                    [$0] + environment.shorterDates(item.shownDate)
                },
            ].compactMap(\.self),
            action: item.link.flatMap(LayoutAction.opening(webLink:))
        )
    }

    /// Returns the number of details that a post has, from 0 to 2; the details are its author and its date.
    private static func detailCount(of items: [FeedItem], at index: Int) -> Int {
        let hasAuthor = !DisplayText.isEmpty(items[index].author ?? "")
        return (hasAuthor ? 1 : 0) + (items[index].shownDate == nil ? 0 : 1)
    }

    /// Returns the number of posts on the day of the newest post; the number of all posts if none has a valid date.
    private static func newPosts(of feed: FeedContent, _ environment: LayoutEnvironment) -> Int {
        // A date that cannot be formatted is an error in the feed.
        let days = feed.items.compactMap { item -> CalendarDate? in
            guard let date = item.shownDate, environment.date(date) != nil else { return nil }
            return environment.day(of: date)
        }
        guard let newest = days.max() else { return feed.items.count }
        return days.count { $0 == newest }
    }

    static func title(of items: [FeedItem], at index: Int, _ environment: LayoutEnvironment) -> DisplayText {
        let title = DisplayText(items[index].title)
        if !title.isEmpty { return title }
        let summary = DisplayText(items[index].summary ?? "")
        return summary.isEmpty ? DisplayText(environment.words(.untitled)) : summary
    }
}
