// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The quick actions of a documents widget one below the other, each with its caption beside its symbol.
///
/// The list is used if there is too little width for captions side by side.
struct ActionList {
    private static let maximumLines = 2

    let captions: ActionCaptions
    private let actions: [(action: QuickAction, tap: LayoutAction)]
    /// The height of the list in points, which the actions share equally.
    private let height: Double
    private let environment: LayoutEnvironment

    init(
        _ actions: [(action: QuickAction, tap: LayoutAction)],
        height: Double,
        _ environment: LayoutEnvironment
    ) {
        let area = environment.area
        captions = ActionCaptions(
            actions.map { DisplayText($0.action.title) },
            in: Room(
                width: area.textWidth - area.grid.nearest(environment.font(.title3).leading) - DocumentsLayout.spacing,
                height: height / Double(max(actions.count, 1)) - 2 * Self.padding(environment)
            ),
            maximumLines: Self.maximumLines,
            environment
        )
        self.actions = actions
        self.height = height
        self.environment = environment
    }

    var view: Frame {
        let stack = VerticalStack(distribution: .equal) {
            for (action, tap) in actions {
                let content = HorizontalStack(spacing: DocumentsLayout.spacing) {
                    Symbol(action.icon, .title3, color: .tint)
                    captions.label(of: action, alignment: .leading)
                }.inTextMargins(of: environment)
                Button(tap, Frame(width: .room, height: .room, content))
            }
        }
        return Frame(width: .room, height: .points(height), stack)
    }

    /// Returns the space above and below the caption of each action, in points.
    ///
    /// The space is 0 on displays with a fixed height, because these already have margins.
    private static func padding(_ environment: LayoutEnvironment) -> Double {
        environment.display.family.isFixed ? 0 : DocumentsLayout.actionPadding
    }
}
