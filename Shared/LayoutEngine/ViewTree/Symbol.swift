// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A square image of a named symbol, as high as one line of a text style.
struct Symbol: View {
    let name: String
    let style: LayoutFont.Style
    var scale = 1.0
    var color = LayoutText.ColorRole.label
    var priority = 0

    init(
        _ name: String,
        _ style: LayoutFont.Style,
        scale: Double = 1,
        color: LayoutText.ColorRole = .label,
        priority: Int = 0
    ) {
        self.name = name
        self.style = style
        self.scale = scale
        self.color = color
        self.priority = priority
    }

    func side(in environment: LayoutEnvironment) -> Double {
        environment.area.grid.nearest(environment.font(style).leading * scale)
    }

    func solve(in room: Room, _ environment: LayoutEnvironment) -> SolvedView? {
        let side = side(in: environment)
        guard !name.isEmpty, side <= room.width + Room.tolerance, side <= room.height + Room.tolerance else {
            return nil
        }
        let frame = Rectangle(x: 0, y: 0, width: side, height: side)
        return SolvedView(
            size: Size(width: side, height: side),
            views: [LayoutView(kind: .image, frame: frame, image: LayoutImage(symbol: name, color: color))]
        )
    }
}
