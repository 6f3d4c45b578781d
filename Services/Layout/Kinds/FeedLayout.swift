// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Lays out the latest posts of a feed: rows of three labels, title, author and short date.
///
/// All rows of a layout are equally high, whatever their posts have: where author or date is missing, the label is left
/// out and what follows moves up. Three labels and the padding are 64 pt at text size `large`, so that the 110 pt of
/// compact mode hold one whole row, and the six of `todayClassic` with their footer fit the smallest phone.
struct FeedLayout: WidgetLayout {
    /// Above the first and below the last label of a row, in points.
    static let rowPadding = 6.0
    /// Longer links are no links.
    static let maximumLinkBytes = 2048
    static let untitled = "Untitled"

    var dependsOnInstant: Bool { false }

    func draw(_ content: Content, in environment: LayoutEnvironment) -> Layout? {
        guard case .feed(let feed) = content else { return nil }
        guard !feed.items.isEmpty else { return Placeholder.emptyFeed.draw(in: environment) }
        let area = environment.area
        let (style, plan) = Self.plan(items: feed.items.count, in: environment)
        let rowHeight = style.height
        var views: [LayoutView] = []
        for (index, item) in feed.items.prefix(plan.rows).enumerated() {
            let top = plan.top + Double(index) * rowHeight
            if index > 0 { views.append(environment.divider(above: top)) }
            let frame = Rectangle(x: area.left, y: top, width: area.right - area.left, height: rowHeight)
            views.append(row(item, style: style, frame: frame, in: environment))
        }
        if let footer = plan.footer {
            let top = plan.top + Double(plan.rows) * rowHeight
            if plan.rows > 0 { views.append(environment.divider(above: top)) }
            views.append(ListFooter(footer).button(top: top, in: environment))
        }
        return Layout(size: Size(width: area.width, height: plan.height), views: views)
    }

    func summary(of content: Content, at moment: WidgetMoment) -> String? {
        guard case .feed(let feed) = content else { return nil }
        return feed.items.first.map { Self.title(of: $0).string } ?? Placeholder.emptyFeed.text
    }

    func nextVisibleChange(of content: Content, after moment: WidgetMoment) -> Instant? { nil }

    // MARK: Rows

    /// The fonts of a row's labels; fewer than three where the display has no room for a row of three.
    private struct RowStyle {
        let fonts: [LayoutFont]

        var height: Double { fonts.reduce(2 * FeedLayout.rowPadding) { $0 + $1.leading } }
    }

    /// The fullest rows of which at least one fits: every widget is useful in compact alone.
    private static func plan(items: Int, in environment: LayoutEnvironment) -> (RowStyle, RowPlan) {
        let fonts = [
            environment.font(.subheadline, .semibold),
            environment.font(.caption1),
            environment.font(.caption1),
        ]
        func attempt(_ labels: Int) -> (RowStyle, RowPlan) {
            let style = RowStyle(fonts: Array(fonts.prefix(labels)))
            let plan = RowPlan(
                items: items,
                rowHeight: style.height,
                limits: environment.moment.definition.rows,
                isExpanded: environment.moment.interaction.expanded,
                in: environment.area
            )
            return (style, plan)
        }
        let full = attempt(fonts.count)
        guard full.1.rows == 0 else { return full }
        return (1..<fonts.count).reversed().lazy.map(attempt).first { $0.1.rows > 0 } ?? full
    }

    private func row(
        _ item: FeedItem,
        style: RowStyle,
        frame: Rectangle,
        in environment: LayoutEnvironment
    ) -> LayoutView {
        let area = environment.area
        let texts: [(text: DisplayText, color: LayoutText.ColorRole)] =
            [
                (Self.title(of: item), .label),
                (DisplayText(item.author ?? ""), .secondaryLabel),
                (DisplayText((item.published ?? item.updated).flatMap(environment.date) ?? ""), .secondaryLabel),
            ].filter { !$0.0.isEmpty }
        let x = min(area.leftTextMargin, frame.width)
        let width = max(frame.width - area.leftTextMargin - area.rightTextMargin, 0)
        var y = Self.rowPadding
        let labels = zip(texts, style.fonts).map { text, font in
            defer { y += font.leading }
            return environment.label(
                text.text,
                font: font,
                color: text.color,
                frame: Rectangle(x: x, y: y, width: width, height: font.leading)
            )
        }
        return LayoutView(kind: .row, frame: frame, action: Self.action(of: item), views: labels)
    }

    private static func title(of item: FeedItem) -> DisplayText {
        for text in [item.title, item.summary ?? ""] {
            let shown = DisplayText(text)
            if !shown.isEmpty { return shown }
        }
        return DisplayText(untitled)
    }

    /// Opens the post; only links of the web.
    private static func action(of item: FeedItem) -> LayoutAction? {
        guard let link = item.link, link.utf8.count <= maximumLinkBytes, let url = URL(string: link),
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host()?.isEmpty == false
        else { return nil }
        return .open(url: link)
    }
}
