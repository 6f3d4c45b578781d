// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A view with replacements: if it shows nothing, the first replacement that shows something is used.
///
/// If ``replacesCutTexts`` is set, the view is also replaced if it cuts a text.
struct Fallback: View {
    private let view: any View
    private let others: () -> [any View]
    var replacesCutTexts = false

    /// Creates a view with replacements; `others` is called only if `view` is replaced.
    init(_ view: any View, others: @escaping () -> [any View]) {
        self.view = view
        self.others = others
    }

    var isFlexible: Bool { view.isFlexible }
    var priority: Int { view.priority }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let solved = view.solve(in: room, environment)
        if let solved, Self.showsSomething(solved.views), !replacesCutTexts || solved.completeness < .cut {
            return solved
        }
        for other in others() {
            if let solved = other.solve(in: room, environment), Self.showsSomething(solved.views) { return solved }
        }
        return solved
    }

    private static func showsSomething(_ views: [LayoutView]) -> Bool {
        views.contains { $0.text != nil || $0.image != nil || showsSomething($0.views ?? []) }
    }
}
