// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The conversion of a view to a layout for a display and its mode.
enum Canvas {
    /// A layout with the ids of its rows.
    struct Sketch: Hashable, Sendable {
        var layout: Layout
        /// The ids of the rows from top to bottom, without duplicates.
        var rowIDs: [String]
        /// The degree to which the texts of the layout are shown.
        var completeness = SolvedView.Completeness.whole

        /// A Boolean value that indicates whether no text is truncated, except for names below a text.
        var isWhole: Bool { completeness < .cut }
    }

    static func draw(_ view: any View, in environment: LayoutEnvironment) -> Sketch {
        let area = environment.area
        let room = Room(width: area.right - area.left, height: area.roomHeight)
        var result = SolvedView(size: Size(width: area.width, height: 0), views: [])
        var solved = view.solve(in: room, environment)
        let natural = solved?.size.height ?? 0
        let compactHeight = environment.display.family.hasModes ? environment.hostsCompactHeight : 0
        result.size.height =
            switch area.mode {
            case .compact(let height), .fixed(let height): height
            // Expanded mode is never lower than compact mode. Lower content is centred in that height, as in compact
            // mode.
            case .expanded: min(max(area.top + natural + area.bottom, compactHeight), area.maximumHeight)
            case .classic: area.top + natural + area.bottom
            }
        if let solved = solved.take() {
            var y = area.top
            if area.centersContent {
                y += area.grid.down(max(room.height - natural, 0) / 2)
            } else if area.mode == .expanded {
                y += area.grid.down(
                    max(min(compactHeight, area.maximumHeight) - area.top - area.bottom - natural, 0) / 2
                )
            }
            result.append(solved, x: 0, y: y)
        }
        settle(&result.views, across: area.right - area.left, environment)
        for index in result.views.indices {
            result.views[index].frame.x = area.grid.nearest(result.views[index].frame.x + area.left)
        }
        let rowIDs = unique(result.rowIDs)
        var ids = rowIDs[...]
        for index in result.views.indices where result.views[index].kind == .row {
            result.views[index].id = ids.popFirst()
        }
        let layout = Layout(
            size: result.size,
            appearance: environment.display.appearance,
            link: environment.moment.definition.link.flatMap { LayoutAction.opening(link: $0) == nil ? nil : $0 },
            views: result.views
        )
        return Sketch(layout: layout, rowIDs: rowIDs, completeness: result.completeness)
    }

    /// Rounds the edges of views to the pixel grid, and mirrors the views if text runs from right to left.
    ///
    /// `parentWidth` is the width in points of the area that contains `views`; the views are mirrored within this area.
    static func settle(
        _ views: inout [LayoutView],
        across parentWidth: Double,
        _ environment: LayoutEnvironment
    ) {
        let grid = environment.area.grid
        for index in views.indices {
            let frame = views[index].frame
            let left = environment.isRightToLeft ? parentWidth - frame.x - frame.width : frame.x
            let x = grid.nearest(left)
            let y = grid.nearest(frame.y)
            let width = grid.nearest(grid.nearest(left + frame.width) - x)
            let height = grid.nearest(grid.nearest(frame.y + frame.height) - y)
            views[index].frame = Rectangle(x: x, y: y, width: width, height: height)
            if environment.isRightToLeft, var text = views[index].text {
                for number in text.lines.indices {
                    let line = text.lines[number]
                    text.lines[number].x = grid.nearest(width - line.x - line.width)
                }
                views[index].text = text
            }
            if var children = views[index].views {
                // The children are taken out of their parent, so that they are changed in place and not copied.
                views[index].views = nil
                settle(&children, across: frame.width, environment)
                views[index].views = children
            }
        }
    }

    /// Returns `names` with a number appended to each repeated name, such as `post#2`, so that each name identifies one
    /// row.
    static func unique(_ names: [String]) -> [String] {
        // For so few names, comparing all pairs is faster than counting in a dictionary.
        if names.count <= 8, names.indices.allSatisfy({ !names[..<$0].contains(names[$0]) }) { return names }
        let given = Set(names)
        var used: Set<String> = []
        var counts: [String: Int] = [:]
        return names.map { name in
            guard !used.insert(name).inserted else { return name }
            var count = counts[name, default: 1]
            var unique: String
            repeat {
                count += 1
                unique = "\(name)#\(count)"
            } while given.contains(unique) || used.contains(unique)
            counts[name] = count
            used.insert(unique)
            return unique
        }
    }
}
