// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The possible heights of a table's rows: with all labels, and with fewer labels for displays that are too low.
struct RowHeights: Hashable, Sendable {
    /// The padding above and below the content of a row, in points.
    static let padding = 6.0
    /// The reduced padding in points, which makes each row 2 points lower.
    ///
    /// The reduced padding is used only if it makes space for one more row.
    static let tightPadding = 5.0

    /// The heights in points of the first row and of each other row, if all rows have the same number of labels.
    struct Level: Hashable, Sendable {
        let first: Double
        let other: Double
    }

    /// The heights for each number of labels, from all labels to the fewest.
    let levels: [Level]
    /// The height of each label below the first one, in points; empty if each row has all labels of its level.
    private let details: [Double]

    init(_ levels: [Level]) {
        self.levels = levels
        details = []
    }

    /// Creates the heights of rows whose labels are one below the other.
    ///
    /// `fonts` are the fonts of the labels from top to bottom. If there is too little space, the lowest labels are
    /// removed.
    init(lines fonts: [LayoutFont], grid: PixelGrid) {
        details = fonts.dropFirst().map { grid.up($0.leading) }
        levels = (0..<fonts.count).reversed().map { last in
            let height = fonts[...last].reduce(2 * Self.padding) { $0 + grid.up($1.leading) }
            return Level(first: height, other: height)
        }
    }

    /// Returns the total height in points of the labels that the level includes, but the row lacks.
    ///
    /// `count` is the number of labels that the row has below its first label. `level` is the index of the row's level
    /// in ``levels``; a level with a higher index has fewer labels. The result is 0 if the row has all labels.
    func missing(_ count: Int, at level: Int) -> Double {
        details.prefix(max(details.count - level, 0)).dropFirst(count).reduce(0, +)
    }

    /// Returns the height in points of the lowest label of a row; 0 if the row lacks this label.
    ///
    /// `level` is the index of the row's level in ``levels``, and `count` the number of labels that the row has below its
    /// first label.
    func detail(at level: Int, of count: Int) -> Double {
        let index = details.count - level - 1
        return details.indices.contains(index) && index < count ? details[index] : 0
    }

    /// Returns a copy in which each height in ``levels`` is reduced by `length` points.
    func lowered(by length: Double) -> RowHeights {
        guard length != 0 else { return self }
        let levels = levels.map { Level(first: $0.first - length, other: $0.other - length) }
        return RowHeights(levels, details: details)
    }

    /// Returns a copy for smaller labels: `title` and `details` are the heights in points by which each of them is lower.
    func lowered(title: Double, details lengths: [Double]) -> RowHeights {
        let lower = levels.enumerated().map { index, level in
            let length = lengths.prefix(max(details.count - index, 0)).reduce(title, +)
            return Level(first: level.first - length, other: level.other - length)
        }
        return RowHeights(lower, details: zip(details, lengths).map { $0 - $1 })
    }

    private init(_ levels: [Level], details: some Sequence<Double>) {
        self.levels = levels
        self.details = Array(details)
    }

    /// Returns the heights of the rows that fit completely into `height`, from the first row on and for at most `rows`
    /// rows.
    ///
    /// `added` contains the additional height of each row; rows without an element have none. All heights are in
    /// points.
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
