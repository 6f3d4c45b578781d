// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The titles of a table's rows, which have more than one line if there is space.
struct RowTitles {
    static let maximumLines = 3

    /// The smallest text size at which rows become higher for long titles.
    ///
    /// From this size on, titles on a phone need more than one line.
    private static let smallestGrowing = ContentSizeCategory.extraExtraExtraLarge

    /// The distance between the baselines of two lines of a title, in points.
    let leading: Double
    /// A Boolean value that indicates whether rows become higher for long titles even if fewer rows fit.
    let growRows: Bool
    private let lines: (Int) -> Int

    /// Creates the titles of a table's rows.
    ///
    /// `titles` returns the title of a row by its index, and `width` is the maximum width of a title in points.
    init(
        _ titles: @escaping (Int) -> DisplayText,
        font: LayoutFont,
        width: Double,
        in environment: LayoutEnvironment
    ) {
        leading = environment.area.grid.up(font.leading)
        growRows = environment.contentSizeCategory >= Self.smallestGrowing
        lines = { index in
            guard width > 0 else { return 1 }
            let lines = environment.measure(titles(index), font: font, width: width, maximumLines: Self.maximumLines)
            return max(lines.count, 1)
        }
    }

    /// Returns the number of lines that the title of a row needs, at most ``maximumLines``.
    func wantedLines(of row: Int) -> Int { lines(row) }
}
