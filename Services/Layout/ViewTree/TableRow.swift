// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// One row of a table: a name to follow it by, what a tap does, and what it shows.
struct TableRow {
    let id: String
    let action: LayoutAction?
    /// Where the content stands in a row that is higher.
    let alignment: Frame.Alignment
    private let content: any View

    init(id: String, action: LayoutAction? = nil, alignment: Frame.Alignment = .center, _ content: any View) {
        self.id = id
        self.action = action
        self.alignment = alignment
        self.content = content
    }

    /// The row, which is as large as its room.
    func view(in room: Room, _ environment: LayoutEnvironment) -> LayoutView {
        let area = environment.area
        let padding = EdgeInsets(
            top: RowHeights.padding,
            leading: area.leadingTextMargin,
            bottom: RowHeights.padding,
            trailing: area.trailingTextMargin
        )
        let inner = Frame(width: .room, height: .room, alignment: alignment, padding: padding, content)
            .solve(in: room, environment)
        return LayoutView(
            kind: .row,
            frame: Rectangle(x: 0, y: 0, width: room.width, height: room.height),
            action: action,
            views: inner?.views ?? []
        )
    }
}
