// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The titles of a table's rows, which all have the same font.
///
/// A title has up to ``maximumLines`` lines if there is space, and up to ``maximumFreeLines`` if the space is left over.
struct RowTitles {
    static let maximumLines = 3
    /// The maximum number of lines of a title for which there is free height after all rows are placed.
    static let maximumFreeLines = 10
    /// The smallest factor by which the font size of all titles is multiplied.
    private static let smallestScale = 0.5

    /// The smallest text size at which rows become higher for long titles.
    ///
    /// From this size on, titles on a phone need more than one line.
    private static let smallestGrowing = ContentSizeCategory.extraExtraExtraLarge

    /// The font of all titles if ``scale`` is 1.
    private let font: LayoutFont
    /// The fonts of the labels below a title, from top to bottom, if ``scale`` is 1.
    private let details: [LayoutFont]
    private let width: Double
    private let environment: LayoutEnvironment
    private let title: (Int) -> DisplayText
    /// The factor by which the font size of all titles is multiplied.
    ///
    /// Factors below 1 are used only to keep ordinary words whole. Such a word has at most
    /// ``WordBreaks/longestOrdinaryWord`` letters and digits.
    private(set) var scale = 1.0
    /// A Boolean value that indicates whether rows become higher for long titles even if fewer rows fit then.
    var growRows: Bool

    /// Creates the titles of a table's rows.
    ///
    /// `title` returns the title of a row by its index. `fonts` are the fonts of a title and of the labels below it, from
    /// top to bottom. `width` is the maximum width of a title in points.
    init(
        _ title: @escaping (Int) -> DisplayText,
        fonts: (title: LayoutFont, details: [LayoutFont]),
        width: Double,
        in environment: LayoutEnvironment
    ) {
        self.title = title
        font = fonts.title
        details = fonts.details
        self.width = width
        self.environment = environment
        growRows = environment.contentSizeCategory >= Self.smallestGrowing
    }

    /// The distance between the baselines of two lines of a title, in points.
    var leading: Double { environment.area.grid.up(scaledFont.leading) }

    /// Returns the heights of the table's rows with these titles, from the heights of rows whose titles have the scale 1.
    func heights(_ ordinary: RowHeights) -> RowHeights {
        guard scale != 1 else { return ordinary }
        let grid = environment.area.grid
        return ordinary.lowered(
            title: grid.up(font.leading) - leading,
            details: details.map { font in
                grid.up(font.leading) - grid.up(scaled(font, by: Self.detailScale(scale, of: font)).leading)
            }
        )
    }

    /// Returns the factor by which the font size of a label below a title is multiplied.
    ///
    /// The factor is `scale`, so that no label is larger than its title; but no font is smaller than
    /// ``DynamicType/smallestSize``. `scale` is the factor of the titles, and `font` the label's font if it is 1.
    static func detailScale(_ scale: Double, of font: LayoutFont) -> Double {
        min(max(scale, DynamicType.smallestSize / font.size), 1)
    }

    private var scaledFont: LayoutFont { scaled(font, by: scale) }

    private func scaled(_ font: LayoutFont, by scale: Double) -> LayoutFont {
        scale == 1
            ? font
            : LayoutFont(
                font.style,
                font.weight,
                scale: scale,
                typeScale: environment.typeScale,
                in: environment.contentSizeCategory
            )
    }

    /// Returns the title of a row in as many lines as it needs, at most ``maximumFreeLines``.
    func measured(_ row: Int) -> Title {
        let text = text(of: row)
        let lines = lines(of: text, maximum: Self.maximumFreeLines)
        return Title(text: text, measured: MeasuredText(lines: lines, font: scaledFont, width: width))
    }

    /// A title with its lines.
    struct Title: Hashable, Sendable {
        let text: DisplayText
        let measured: MeasuredText
    }

    private func lines(of text: DisplayText, maximum: Int) -> [MeasuredLine] {
        guard width > 0 else { return [] }
        return environment.measure(text, font: scaledFont, width: width, maximumLines: maximum)
    }

    /// Returns the title of a row.
    func text(of row: Int) -> DisplayText { title(row) }

    /// Copies of the titles with smaller font sizes, from the largest to the smallest one.
    ///
    /// All of these sizes are readable: at least ``DynamicType/smallestSize``.
    var smaller: [RowTitles] {
        TypeLadder.descending(below: font.size, atLeast: Self.smallestScale * font.size).map { size in
            var titles = self
            titles.scale = size / font.size
            return titles
        }
    }

    /// Returns the index of the first row whose title breaks an ordinary word; nil if no title does.
    ///
    /// `rows` are the rows that are shown; the index of the first one is 0. Titles on one line and titles with a word of
    /// more than ``WordBreaks/longestOrdinaryWord`` letters and digits do not count.
    func firstBroken(in rows: [RowPlan.Row]) -> Int? {
        rows.indices.first { index in
            let count = rows[index].titleLines
            guard count > 1 else { return false }
            let title = rows[index].title
            let text = title?.text ?? text(of: index)
            let lines =
                title?.measured.lines(font: scaledFont, width: width, maximumLines: count)
                ?? lines(of: text, maximum: count)
            return WordBreaks.isBroken(lines: lines.lazy.map(\.text), of: text.string)
                && !WordBreaks.hasLongWord(text.string)
        }
    }

    /// Returns the titles of one column of the table.
    ///
    /// `first` is the index of the column's first row in the table. In the result, ``growRows`` is false: a long title
    /// has more than one line only if this does not reduce the number of rows that fit.
    func ofColumn(from first: Int) -> RowTitles {
        let fonts = (title: font, details: details)
        var titles = RowTitles({ [title] in title($0 + first) }, fonts: fonts, width: width, in: environment)
        titles.scale = scale
        titles.growRows = false
        return titles
    }
}
