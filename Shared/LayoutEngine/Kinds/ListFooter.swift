// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The button "Show more" or "Show less" that a widget shows below its rows on hosts without compact and expanded mode.
struct ListFooter {
    /// The minimum padding above and below the button's title, in points.
    static let padding = 6.0

    /// The minimum height in points, which is that of a tap target.
    private static let minimumHeight = 44.0
    private static let style = LayoutFont.Style.subheadline

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

    /// Returns the height of the button in points, which grows with its title.
    static func height(in environment: LayoutEnvironment) -> Double {
        max(minimumHeight, environment.area.grid.up(environment.font(style).leading) + 2 * padding)
    }

    func view(in environment: LayoutEnvironment) -> Button {
        let title = Label(
            DisplayText(environment.words(title)),
            Self.style,
            color: .tint,
            alignment: .center
        )
        return Button(action, Frame(width: .room, height: .room, title))
    }
}
