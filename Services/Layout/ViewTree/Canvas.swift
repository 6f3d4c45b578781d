// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Gives a widget's view the room that a display's mode has, and makes a layout of it.
enum Canvas {
    /// A layout with the names of its rows.
    struct Sketch: Hashable, Sendable {
        var layout: Layout
        /// Of the rows from top to bottom, each name once.
        var rowIDs: [String]
    }

    static func draw(_ view: any View, in environment: LayoutEnvironment) -> Sketch {
        let area = environment.area
        let room = Room(width: area.right - area.left, height: area.roomHeight)
        var result = SolvedView(size: Size(width: area.width, height: 0), views: [])
        let solved = view.solve(in: room, environment)
        let natural = solved?.size.height ?? 0
        result.size.height =
            switch area.mode {
            case .compact(let height), .fixed(let height): height
            case .expanded: min(area.top + natural + area.bottom, area.maximumHeight)
            case .classic: area.top + natural + area.bottom
            }
        if let solved {
            var y = area.top
            if area.centersContent { y += area.grid.down(max(room.height - natural, 0) / 2) }
            result.append(solved, x: 0, y: y)
        }
        let views = result.views.map { settle($0, across: area.right - area.left, environment) }.map { view in
            var view = view
            view.frame.x = area.grid.nearest(view.frame.x + area.left)
            return view
        }
        let layout = Layout(size: result.size, appearance: environment.display.appearance, views: views)
        return Sketch(layout: layout, rowIDs: unique(result.rowIDs))
    }

    /// A view with its edges on the pixel grid, and mirrored in its parent where text runs from right to left.
    private static func settle(
        _ view: LayoutView,
        across parentWidth: Double,
        _ environment: LayoutEnvironment
    ) -> LayoutView {
        let grid = environment.area.grid
        var view = view
        let frame = view.frame
        let left = environment.isRightToLeft ? parentWidth - frame.x - frame.width : frame.x
        view.frame.x = grid.nearest(left)
        view.frame.y = grid.nearest(frame.y)
        view.frame.width = grid.nearest(grid.nearest(left + frame.width) - view.frame.x)
        view.frame.height = grid.nearest(grid.nearest(frame.y + frame.height) - view.frame.y)
        if environment.isRightToLeft, var text = view.text {
            for index in text.lines.indices {
                let line = text.lines[index]
                text.lines[index].x = grid.nearest(view.frame.width - line.x - line.width)
            }
            view.text = text
        }
        view.views = view.views?.map { settle($0, across: frame.width, environment) }
        return view
    }

    /// The names with numbers where they come again: what names nothing alone cannot be followed.
    private static func unique(_ names: [String]) -> [String] {
        var counts: [String: Int] = [:]
        return names.map { name in
            let count = counts[name, default: 0]
            counts[name] = count + 1
            return count == 0 ? name : "\(name)\u{0}\(count)"
        }
    }
}
