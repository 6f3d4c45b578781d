// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The grid of a board: it computes the frames of cells in whole pixels.
///
/// Margins are 2 % of the board's width and height, at least ``minimumMargin``. Neighbouring cells have the same
/// distance everywhere, because the edges of columns and rows are rounded once for all cells.
public struct BoardGrid: Hashable, Sendable {
    public static let defaultColumns = 12
    public static let defaultRows = 8
    /// The valid numbers of columns and of rows.
    public static let divisions = 1...48
    /// The minimum margin in pixels.
    public static let minimumMargin = 8.0
    /// The share of the width or height that a margin takes, in percent.
    private static let marginPercent = 2.0
    private static let gutterOfWide = 16
    private static let gutterOfNarrow = 8
    /// The width in pixels below which gutters and the header are smaller.
    private static let widthOfWide = 400
    /// The height of the header in pixels at 125 pixels per inch.
    private static let headerOfWide = 32.0
    private static let headerOfNarrow = 20.0

    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    public let columns: Int
    public let rows: Int
    public let hasHeader: Bool
    /// The factor by which type is larger than on a panel of 125 pixels per inch; see ``Panel/typeFactor``.
    public let typeFactor: Double

    public init(
        width: Int,
        height: Int,
        columns: Int = defaultColumns,
        rows: Int = defaultRows,
        hasHeader: Bool,
        typeFactor: Double = 1
    ) {
        self.width = width
        self.height = height
        self.columns = columns
        self.rows = rows
        self.hasHeader = hasHeader
        self.typeFactor = typeFactor
    }

    private var isWide: Bool { width >= Self.widthOfWide }

    /// The distance between two cells in pixels.
    public var gutter: Int { isWide ? Self.gutterOfWide : Self.gutterOfNarrow }

    /// The distance of cells from the left and right edges in pixels.
    public var horizontalMargin: Int { Self.margin(of: width) }

    /// The distance of cells from the bottom edge, and of cells or the header from the top edge, in pixels.
    public var verticalMargin: Int { Self.margin(of: height) }

    private static func margin(of length: Int) -> Int { Int(margin(of: Double(length))) }

    /// Returns the margin of a width or height in whole pixels.
    fileprivate static func margin(of length: Double) -> Double {
        max(minimumMargin, (length * marginPercent / 100).rounded())
    }

    private var headerHeight: Int {
        Int(((isWide ? Self.headerOfWide : Self.headerOfNarrow) * typeFactor).rounded())
    }

    /// The frame of the header in pixels; nil if the board has none.
    public var header: Rectangle? {
        guard hasHeader else { return nil }
        return Rectangle(
            x: Double(horizontalMargin),
            y: Double(verticalMargin),
            width: Double(width - 2 * horizontalMargin),
            height: Double(headerHeight)
        )
    }

    /// The distance of cells from the top edge in pixels.
    private var top: Int { verticalMargin + (hasHeader ? headerHeight + gutter / 2 : 0) }

    /// Returns the frame of a cell in pixels.
    ///
    /// If the board is too small for its columns or rows, the width or height may be zero or negative.
    public func frame(of area: BoardArea) -> Rectangle {
        let left = horizontalMargin
        let (x, width) = span(area.column, area.columns, of: columns, in: width - 2 * left)
        let (y, height) = span(area.row, area.rows, of: rows, in: height - top - verticalMargin)
        return Rectangle(x: Double(left + x), y: Double(top + y), width: Double(width), height: Double(height))
    }

    /// Returns the start and the length of a span of columns or rows.
    private func span(_ first: Int, _ count: Int, of all: Int, in length: Int) -> (Int, Int) {
        /// Returns the start of a column or row; `index` counts from 0.
        func start(_ index: Int) -> Int { index * (length + gutter) / all }
        let begin = start(first - 1)
        return (begin, start(first - 1 + count) - gutter - begin)
    }
}

extension EdgeInsets {
    /// Returns the default margins of a panel that shows one widget: on all sides that of a board of this width.
    public static func panel(width: Double) -> EdgeInsets {
        let margin = BoardGrid.margin(of: width)
        return EdgeInsets(top: margin, leading: margin, bottom: margin, trailing: margin)
    }
}

/// The fields of a board's grid that a cell covers; columns and rows count from 1.
public struct BoardArea: Hashable, Sendable {
    public var column: Int
    public var row: Int
    /// The number of columns.
    public var columns: Int
    /// The number of rows.
    public var rows: Int

    public init(column: Int, row: Int, columns: Int = 1, rows: Int = 1) {
        self.column = column
        self.row = row
        self.columns = columns
        self.rows = rows
    }

    public var lastColumn: Int { column + columns - 1 }
    public var lastRow: Int { row + rows - 1 }

    /// The end of the name of the display that shows this cell, such as `c4r2`.
    public var name: String { "c\(column)r\(row)" }

    public func overlaps(_ other: BoardArea) -> Bool {
        column <= other.lastColumn && other.column <= lastColumn && row <= other.lastRow && other.row <= lastRow
    }
}
