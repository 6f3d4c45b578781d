// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// How many whole rows a display shows, where they start, and how high the widget is.
struct RowPlan: Hashable, Sendable {
    /// The footer that holds "Show more" and "Show less".
    static let footerHeight = 44.0

    let rows: Int
    /// The top of the first row.
    let top: Double
    /// The preferred height.
    let height: Double
    /// Whether the widget's own footer follows the last row, and what a press on it asks for.
    let footer: Footer?

    enum Footer: Hashable, Sendable {
        case showMore
        case showLess
    }

    init(items: Int, rowHeight: Double, limits: RowLimits, isExpanded: Bool, in area: DisplayArea) {
        let collapsed = min(items, max(limits.collapsed, 0))
        let expanded = min(items, max(limits.expanded, 0))
        func whole(in height: Double) -> Int { rowHeight > 0 ? Int(max(height, 0) / rowHeight) : 0 }

        switch area.mode {
        case .compact(let height):
            rows = min(collapsed, whole(in: height - area.top - area.bottom))
            let free = height - area.top - area.bottom - Double(rows) * rowHeight
            top = area.top + area.grid.down(max(free, 0) / 2)
            self.height = height
            footer = nil
        case .expanded:
            rows = min(expanded, whole(in: area.maximumHeight - area.top - area.bottom))
            top = area.top
            height = min(area.top + Double(rows) * rowHeight + area.bottom, area.maximumHeight)
            footer = nil
        case .classic:
            footer = items > collapsed && expanded > collapsed ? (isExpanded ? .showLess : .showMore) : nil
            let fixed = area.top + area.bottom + (footer == nil ? 0 : Self.footerHeight)
            rows = min(isExpanded ? max(expanded, collapsed) : collapsed, whole(in: area.maximumHeight - fixed))
            top = area.top
            height = fixed + Double(rows) * rowHeight
        }
    }
}
