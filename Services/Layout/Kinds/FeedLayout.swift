// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Lays out the latest posts of a feed: rows of three labels, title, author and short date.
///
/// All rows of a layout are equally high, whatever their posts have: where author or date is missing, the label is left
/// out and what follows moves up. Three labels and the padding are 64 pt at text size `large`, so that the 110 pt of
/// compact mode hold one whole row, and the six of `todayClassic` with their footer fit the smallest phone.
struct FeedLayout: WidgetLayout {
    static let untitled = "Untitled"

    func view(of content: Content, in environment: LayoutEnvironment) -> (any View)? {
        guard case .feed(let feed) = content else { return nil }
        guard !feed.items.isEmpty else { return Placeholder.emptyFeed.view(in: environment) }
        let fonts = [
            environment.font(.subheadline, .semibold), environment.font(.caption1), environment.font(.caption1),
        ]
        return Table(
            feed.items,
            heights: RowHeights(lines: fonts, grid: environment.area.grid),
            limits: environment.moment.definition.rows
        ) { item in
            TableRow(
                id: item.id,
                action: item.link.flatMap(LayoutAction.opening(webLink:)),
                alignment: .top,
                VerticalStack {
                    Label(Self.title(of: item), .subheadline, weight: .semibold, priority: 1)
                    Label(item.author ?? "", .caption1, color: .secondaryLabel)
                    Label(
                        (item.published ?? item.updated).flatMap(environment.date) ?? "",
                        .caption1,
                        color: .secondaryLabel
                    )
                }
            )
        }
    }

    func summary(of content: Content, at moment: WidgetMoment) -> String? {
        guard case .feed(let feed) = content else { return nil }
        return feed.items.first.map { Self.title(of: $0).string } ?? Placeholder.emptyFeed.text
    }

    private static func title(of item: FeedItem) -> DisplayText {
        for text in [item.title, item.summary ?? ""] {
            let shown = DisplayText(text)
            if !shown.isEmpty { return shown }
        }
        return DisplayText(untitled)
    }
}
