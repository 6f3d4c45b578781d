// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The place of a layout on one revision of a board.
///
/// The layout service copies it from the display to ``DisplayState/board``, so a reader of updates can tell which cells
/// belong together.
public struct BoardPlace: Codable, Hashable, Sendable {
    public var id: BoardID
    /// The first 16 hexadecimal digits of the SHA-256 of the board's entry, and of which of its widgets exist.
    public var revision: String
    /// The zero-based index of the cell in the order of the board's entry.
    public var cell: Int
    /// The number of cells of the board, without those whose widgets do not exist.
    public var of: Int
    /// A Boolean value that indicates whether the layout contains the board's header; nil means false.
    ///
    /// A board with a header shows the time of the last visible change.
    public var hasHeader: Bool?

    public init(id: BoardID, revision: String, cell: Int, of: Int, hasHeader: Bool? = nil) {
        self.id = id
        self.revision = revision
        self.cell = cell
        self.of = of
        self.hasHeader = hasHeader
    }
}

/// A cell of a board, as a property of the display that shows the widget of this cell.
public struct BoardCell: Codable, Hashable, Sendable {
    /// A line above the cells of a board.
    public enum Header: String, Codable, CaseIterable, Sendable {
        /// The date, and the time of the last visible change.
        case date
        case none
    }

    public var place: BoardPlace
    /// The name in the title bar; nil for the name of the widget.
    public var name: String?
    /// The board's header if this is its first cell; nil otherwise.
    ///
    /// The header's text belongs to what the first cell shows: its digest contains the date.
    public var header: Header?
    /// The size of the board's header in pixels; nil if ``header`` is nil.
    public var headerSize: Size?

    public init(place: BoardPlace, name: String? = nil, header: Header? = nil, headerSize: Size? = nil) {
        self.place = place
        self.name = name
        self.header = header
        self.headerSize = headerSize
    }
}
