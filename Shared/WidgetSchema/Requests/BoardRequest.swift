// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the layout service for the picture of a board, drawn from the given layouts.
///
/// The answer is a function of the request, so every instance can answer it. Nothing is stored or published.
public struct BoardRequest: RequestBody {
    public static let name = "renderBoard"
    public typealias Result = BoardAnswer

    /// The maximum size of a request in bytes, with all its layouts.
    public static let maximumBytes = MessageLimits.internalFrame

    /// The layout of one cell.
    public struct Cell: Codable, Hashable, Sendable {
        /// The zero-based index in ``Board/cells``.
        public var cell: Int
        public var layout: Layout

        public init(cell: Int, layout: Layout) {
            self.cell = cell
            self.layout = layout
        }
    }

    public var board: Board
    /// The layouts of the cells; places without one are empty.
    public var cells: [Cell]
    /// The time of the last visible change, for the header; nil if it is unknown.
    public var lastChange: Instant?
    /// The format of the picture; `layout` is not valid.
    public var format: RenderFormat

    public init(board: Board, cells: [Cell], lastChange: Instant? = nil, format: RenderFormat = .png) {
        self.board = board
        self.cells = cells
        self.lastChange = lastChange
        self.format = format
    }

    /// A message about the first fault of the request; nil if it has none.
    public var fault: String? {
        let sizes = PanelSize.lengths
        if !sizes.contains(board.width) || !sizes.contains(board.height) {
            return "The size of the board is invalid: width and height must be \(sizes.lowerBound) to "
                + "\(sizes.upperBound) pixels."
        }
        if board.cells.count > Board.maximumCells { return "A board has at most \(Board.maximumCells) cells." }
        if format == .layout { return "A board is drawn as png or svg." }
        let indices = Set(cells.map(\.cell))
        if indices.count != cells.count || !indices.isSubset(of: board.cells.indices) {
            return "Each layout must name another cell of the board."
        }
        return nil
    }
}

/// The description of a board's picture, whose bytes are in the frame after it.
public struct BoardAnswer: Codable, Hashable, Sendable {
    public var board: BoardID
    public var revision: String
    public var picture: RenderedPicture
    /// The engine that drew the picture.
    public var engine: LayoutEngineVersion

    public init(board: BoardID, revision: String, picture: RenderedPicture, engine: LayoutEngineVersion) {
        self.board = board
        self.revision = revision
        self.picture = picture
        self.engine = engine
    }
}
