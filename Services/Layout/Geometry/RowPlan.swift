// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// How many whole rows a display shows, how high they are, and whether the widget's own footer follows them.
struct RowPlan: Hashable, Sendable {
    /// The footer that holds "Show more" and "Show less".
    static let footerHeight = 44.0

    /// The heights of the rows that are shown.
    let rows: [Double]
    /// Whether the footer follows the last row, and what a press on it asks for.
    let footer: Footer?

    enum Footer: Hashable, Sendable {
        case showMore
        case showLess
    }

    /// Rows are as full as they can be with at least one of them shown: every widget is useful in compact alone.
    init(
        items: Int,
        heights: RowHeights,
        limits: RowLimits,
        isExpanded: Bool,
        height: Double,
        mode: DisplayArea.Mode
    ) {
        let collapsed = min(items, max(limits.collapsed, 0))
        let expanded = min(items, max(limits.expanded, 0))
        let wanted: Int
        var footer: Footer?
        switch mode {
        case .compact:
            wanted = collapsed
        case .expanded, .fixed:
            wanted = expanded
        case .classic:
            wanted = isExpanded ? max(expanded, collapsed) : collapsed
            if items > collapsed, expanded > collapsed { footer = isExpanded ? .showLess : .showMore }
        }
        func rows(in height: Double) -> [Double] {
            heights.levels.lazy.map { heights.fitting($0, rows: wanted, in: height) }.first { !$0.isEmpty } ?? []
        }
        let aboveFooter = footer == nil ? [] : rows(in: height - Self.footerHeight)
        // A footer without a row is no use, and one without room would be cut off.
        self.footer = aboveFooter.isEmpty ? nil : footer
        self.rows = aboveFooter.isEmpty ? rows(in: height) : aboveFooter
    }
}
