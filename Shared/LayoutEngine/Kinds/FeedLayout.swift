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
        let caption = environment.font(environment.detailStyle)
        return TitledRows(
            items: feed.items,
            details: [caption, caption],
            detailCount: Self.detailCount,
            title: { Self.title(of: $0, environment) },
            detailLabels: { item in
                let author = Label(
                    DisplayText(item.author ?? ""),
                    environment.detailStyle,
                    color: .secondaryLabel,
                    lines: environment.isAccessibilitySize ? 2 : 1
                )
                let date = Label(
                    DisplayText(Self.date(of: item, environment) ?? ""),
                    environment.detailStyle,
                    color: .secondaryLabel
                ) {
                    // Captures only the date; otherwise the whole item would be copied for each row.
                    [date = item.published ?? item.updated] in $0.shorterDates(date).map { DisplayText($0) }
                }
                return [author, date]
            },
            target: { ($0.id, $0.link.flatMap(LayoutAction.opening(webLink:))) }
        ).table(in: environment)
    }

    func accessoryLayout(of content: Content, in environment: LayoutEnvironment) -> AccessoryLayout? {
        guard case .feed(let feed) = content, let item = feed.items.first else { return nil }
        let title = Self.title(of: item, environment).string
        // Other displays use only the title, for the summary of the widget.
        guard environment.display.family.isAccessory else { return AccessoryLayout(symbol: .feed, title: title) }
        return AccessoryLayout(
            symbol: .feed,
            title: title,
            short: String(Self.newPosts(of: feed, environment)),
            details: [
                item.author.map { [$0] },
                Self.date(of: item, environment).map {
                    [$0] + environment.shorterDates(item.published ?? item.updated)
                },
            ].compactMap(\.self),
            action: item.link.flatMap(LayoutAction.opening(webLink:))
        )
    }

    /// Returns the number of details that a post has, from 0 to 2; the details are its author and its date.
    private static func detailCount(of item: FeedItem) -> Int {
        let hasAuthor = !DisplayText.isEmpty(item.author ?? "")
        return (hasAuthor ? 1 : 0) + ((item.published ?? item.updated) == nil ? 0 : 1)
    }

    /// Returns the number of posts on the day of the newest post; the number of all posts if none has a valid date.
    private static func newPosts(of feed: FeedContent, _ environment: LayoutEnvironment) -> Int {
        // A date that cannot be formatted is an error in the feed.
        let days = feed.items.compactMap { item -> CalendarDate? in
            guard let date = item.published ?? item.updated, environment.date(date) != nil else { return nil }
            return environment.day(of: date)
        }
        guard let newest = days.max() else { return feed.items.count }
        return days.count { $0 == newest }
    }

    private static func title(of item: FeedItem, _ environment: LayoutEnvironment) -> DisplayText {
        let title = DisplayText(item.title)
        if !title.isEmpty { return title }
        let summary = DisplayText(item.summary ?? "")
        return summary.isEmpty ? DisplayText(environment.words(.untitled)) : summary
    }

    private static func date(of item: FeedItem, _ environment: LayoutEnvironment) -> String? {
        (item.published ?? item.updated).flatMap(environment.date)
    }
}
