// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The widget's own button "Show more" or "Show less" below its rows, for hosts without modes.
struct ListFooter {
    /// The minimum padding above and below the title, in points.
    static let padding = 6.0

    private let kind: RowPlan.Footer

    init(_ kind: RowPlan.Footer) { self.kind = kind }

    private var title: WidgetText {
        switch kind {
        case .showMore: .showMore
        case .showLess: .showLess
        }
    }

    /// The action, which names the new state, so that pressing twice has the same effect as pressing once.
    var action: LayoutAction {
        switch kind {
        case .showMore: .command(.setExpanded(true))
        case .showLess: .command(.setExpanded(false))
        }
    }

    /// Returns the view.
    ///
    /// It has the same height at every text size; a title that is too high gets a smaller font.
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
