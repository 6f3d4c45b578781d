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

    /// Returns the view of the row, which fills `frame`, and the degree to which its texts are shown.
    ///
    /// `margins` are the distances of the content to the leading and trailing edges; `padding` is its distance to the
    /// upper and lower edges.
    func solve(
        in frame: Rectangle,
        margins: (leading: Double, trailing: Double),
        padding: Double,
        _ environment: LayoutEnvironment
    ) -> (view: LayoutView, completeness: SolvedView.Completeness) {
        let insets = EdgeInsets(
            top: padding,
            leading: margins.leading,
            bottom: padding,
            trailing: margins.trailing
        )
        let inner = Frame(width: .room, height: .room, alignment: alignment, padding: insets, content)
            .solve(in: Room(width: frame.width, height: frame.height), environment)
        let view = LayoutView(kind: .row, frame: frame, action: action, views: inner?.views ?? [])
        return (view, inner?.completeness ?? .whole)
    }
}
