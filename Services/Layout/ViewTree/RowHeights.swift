// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// How high a table's rows are: at best, and where not even one such row fits, with less in them.
struct RowHeights: Hashable, Sendable {
    /// Above and below what a row shows, in points.
    static let padding = 6.0

    /// The heights of the first row and of those after it.
    struct Level: Hashable, Sendable {
        let first: Double
        let other: Double
    }

    /// From the fullest to the sparest.
    let levels: [Level]

    init(_ levels: [Level]) { self.levels = levels }

    /// Rows of labels one below the other, of which the lowest go where there is no room.
    init(lines fonts: [LayoutFont], grid: PixelGrid) {
        levels = (0..<fonts.count).reversed().map { last in
            let height = fonts[...last].reduce(2 * Self.padding) { $0 + grid.up($1.leading) }
            return Level(first: height, other: height)
        }
    }

    /// How many whole rows of a level fit, of as many as there are.
    func fitting(_ level: Level, rows: Int, in height: Double) -> [Double] {
        var rest = height + Room.tolerance
        var result: [Double] = []
        for index in 0..<max(rows, 0) {
            let row = index == 0 ? level.first : level.other
            guard row <= rest else { break }
            rest -= row
            result.append(row)
        }
        return result
    }
}
