// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The button "Show more" or "Show less" that a widget shows below its rows on hosts without compact and expanded mode.
struct ListFooter {
    /// The minimum padding above and below the button's title, in points.
    static let padding = 6.0

    private let kind: RowPlan.Footer

    init(_ kind: RowPlan.Footer) { self.kind = kind }

    private var title: WidgetText {
        switch kind {
        case .showMore: .showMore
        case .showLess: .showLess
        }
    }

    /// The command that shows more or fewer rows.
    ///
    /// The command contains the new state, so pressing the button twice has the same effect as pressing it once.
    var action: LayoutAction {
        switch kind {
        case .showMore: .command(.setExpanded(true))
        case .showLess: .command(.setExpanded(false))
        }
    }

    /// Returns the view of the button.
    ///
    /// The button has the same height at every text size: if the title is too high, it gets a smaller font.
    func view(in environment: LayoutEnvironment) -> Button {
        let style = LayoutFont.Style.subheadline
        let leading = environment.font(style).leading
        let title = Label(
            DisplayText(environment.words(title)),
            style,
            scale: min((RowPlan.footerHeight - 2 * Self.padding) / leading, 1),
            color: .tint,
            alignment: .center
        )
        return Button(action, Frame(width: .room, height: .room, title))
    }
}
