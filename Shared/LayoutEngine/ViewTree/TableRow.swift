// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// One row of a table: a stable id, the action of a tap on the row, and the content.
struct TableRow {
    let id: String
    let action: LayoutAction?
    /// The vertical alignment of the content, if the row is higher than the content.
    let alignment: Frame.Alignment
    private let content: any View

    init(id: String, action: LayoutAction? = nil, alignment: Frame.Alignment = .center, _ content: any View) {
        self.id = id
        self.action = action
        self.alignment = alignment
        self.content = content
    }

    /// Returns the row, which fills the available space.
    ///
    /// `margins` are the distances of the content to the leading and trailing edges; `padding` is its distance to the
    /// upper and lower edges.
    func solve(
        in room: Room,
        margins: (leading: Double, trailing: Double),
        padding: Double,
        _ environment: LayoutEnvironment
    ) -> SolvedView {
        let insets = EdgeInsets(
            top: padding,
            leading: margins.leading,
            bottom: padding,
            trailing: margins.trailing
        )
        let inner = Frame(width: .room, height: .room, alignment: alignment, padding: insets, content)
            .solve(in: room, environment)
        return SolvedView(
            size: Size(width: room.width, height: room.height),
            views: [
                LayoutView(
                    kind: .row,
                    frame: Rectangle(x: 0, y: 0, width: room.width, height: room.height),
                    action: action,
                    views: inner?.views ?? []
                )
            ],
            rowIDs: [id],
            completeness: inner?.completeness ?? .whole
        )
    }
}
