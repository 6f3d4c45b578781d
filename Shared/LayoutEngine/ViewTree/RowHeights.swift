// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The heights of a table's rows: with all of their labels, and with fewer labels if not even one row fits.
struct RowHeights: Hashable, Sendable {
    /// The padding above and below the content of a row, in points.
    static let padding = 6.0
    /// The reduced padding, which is used if one more row fits with it; each row is then 2 points lower.
    static let tightPadding = 5.0

    /// The heights of the first row and of those after it.
    struct Level: Hashable, Sendable {
        let first: Double
        let other: Double
    }

    /// The levels, from all labels to the fewest.
    let levels: [Level]

    init(_ levels: [Level]) { self.levels = levels }

    /// Creates the heights for rows of labels one below the other; the lowest labels are removed if there is no space.
    init(lines fonts: [LayoutFont], grid: PixelGrid) {
        levels = (0..<fonts.count).reversed().map { last in
            let height = fonts[...last].reduce(2 * Self.padding) { $0 + grid.up($1.leading) }
            return Level(first: height, other: height)
        }
    }

    /// Returns the heights of the rows that fit completely into `height`, at most `rows`.
    ///
    /// `added` is the additional height of each row; empty if there is none.
    func fitting(_ level: Level, rows: Int, added: [Double] = [], in height: Double) -> [Double] {
        var rest = height + Room.tolerance
        var result: [Double] = []
        for index in 0..<max(rows, 0) {
            let row = (index == 0 ? level.first : level.other) + (index < added.count ? added[index] : 0)
            guard row <= rest else { break }
            rest -= row
            result.append(row)
        }
        return result
    }
}
