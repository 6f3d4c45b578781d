// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A part of a widget that can be tapped on, as large as its content.
struct Button: View {
    let action: LayoutAction
    var priority = 0
    private let content: any View

    init(_ action: LayoutAction, priority: Int = 0, _ content: any View) {
        self.action = action
        self.priority = priority
        self.content = content
    }

    var isFlexible: Bool { content.isFlexible }

    func leastWidth(in environment: LayoutEnvironment) -> Double { content.leastWidth(in: environment) }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        guard let solved = content.solve(in: room, environment) else { return nil }
        let view = LayoutView(
            kind: .button,
            frame: Rectangle(x: 0, y: 0, width: solved.size.width, height: solved.size.height),
            action: action,
            views: solved.views
        )
        return SolvedView(size: solved.size, views: [view], completeness: solved.completeness)
    }
}
