// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The widget's own button below its rows, where the host has no modes: "Show more" or "Show less".
struct ListFooter {
    private let kind: RowPlan.Footer

    init(_ kind: RowPlan.Footer) { self.kind = kind }

    var title: String {
        switch kind {
        case .showMore: "Show more"
        case .showLess: "Show less"
        }
    }

    /// Absolute, so that pressing twice is pressing once.
    var action: LayoutAction {
        switch kind {
        case .showMore: .command(.setExpanded(true))
        case .showLess: .command(.setExpanded(false))
        }
    }

    /// As high at every text size: the title has room in it at the greatest one too, since none of its letters has a
    /// descender.
    func button(top: Double, in environment: LayoutEnvironment) -> LayoutView {
        let area = environment.area
        let width = area.right - area.left
        let font = environment.font(.subheadline)
        let height = min(font.leading, RowPlan.footerHeight)
        let title = environment.label(
            DisplayText(title),
            font: font,
            color: .tint,
            alignment: .center,
            frame: Rectangle(
                x: 0,
                y: area.grid.nearest((RowPlan.footerHeight - height) / 2),
                width: width,
                height: height
            )
        )
        return LayoutView(
            kind: .button,
            frame: Rectangle(x: area.left, y: top, width: width, height: RowPlan.footerHeight),
            action: action,
            views: [title]
        )
    }
}
