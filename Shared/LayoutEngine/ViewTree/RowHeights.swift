// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The heights of a table's rows: at best, and with less in them if not even one such row fits.
struct RowHeights: Hashable, Sendable {
    /// Above and below the content of a row, in points.
    static let padding = 6.0
    /// The padding that is used if it makes room for another row: 2 points less for each row.
    static let tightPadding = 5.0

    /// The heights of the first row and of those after it.
    struct Level: Hashable, Sendable {
        let first: Double
        let other: Double
    }

    /// From the fullest to the sparest.
    let levels: [Level]

    init(_ levels: [Level]) { self.levels = levels }

    /// Rows of labels one below the other, of which the lowest go if there is no room.
    init(lines fonts: [LayoutFont], grid: PixelGrid) {
        levels = (0..<fonts.count).reversed().map { last in
            let height = fonts[...last].reduce(2 * Self.padding) { $0 + grid.up($1.leading) }
            return Level(first: height, other: height)
        }
    }

    /// The heights of the whole rows of a level that fit, of `rows` that there are.
    ///
    /// `added` is the height that single rows need beyond the level's; empty if none does.
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
