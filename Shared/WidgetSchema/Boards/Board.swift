// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A board: the size and the properties of a panel, and the frames of its cells.
///
/// The configuration determines it, except for ``revision``, which also depends on the widgets that exist.
public struct Board: Codable, Hashable, Sendable {
    public static let maximumCells = 24
    /// The maximum number of cells of all boards that show the same widget: an update of it must stay below
    /// ``MessageLimits/clientFrame``.
    public static let maximumCellsOfWidget = 64
    public static let maximumBoards = 500

    /// One place of a board.
    public struct Cell: Codable, Hashable, Sendable {
        public var widget: WidgetID
        /// The display that shows this cell, such as `kitchen-c4r2`.
        public var display: DisplayName
        /// The name in the title bar; nil for the name of the widget.
        public var name: String?
        /// The frame in pixels.
        public var frame: Rectangle
        /// A Boolean value that indicates whether the widget exists; the place of one that does not is empty.
        public var exists: Bool

        public init(
            widget: WidgetID,
            display: DisplayName,
            name: String? = nil,
            frame: Rectangle,
            exists: Bool = true
        ) {
            self.widget = widget
            self.display = display
            self.name = name
            self.frame = frame
            self.exists = exists
        }
    }

    public var id: BoardID
    /// The revision of the board; see ``BoardPlace/revision``.
    public var revision: String
    /// The width of what a reader sees, in pixels.
    ///
    /// It is the height of the picture if `panel.rotation` swaps the sides.
    public var width: Int
    /// The height of what a reader sees, in pixels.
    public var height: Int
    /// The panel; its `cell` is nil.
    public var panel: Panel
    public var header: BoardCell.Header
    /// The frame of the header in pixels; nil if there is none.
    public var headerFrame: Rectangle?
    /// The identifier of a locale, such as `de_DE`.
    public var locale: String
    /// The name of a time zone, such as `Europe/Berlin`.
    public var timeZone: String
    /// The format of times of day; nil for the format of the locale.
    public var hourCycle: Display.HourCycle?
    /// The name of the panel's model; nil if the configuration names none.
    public var model: String?
    /// The maximum number of bytes of a PNG that the model accepts; nil if it is unknown.
    public var byteLimit: Int?
    /// The cells, in the order of the configuration.
    public var cells: [Cell]

    public init(
        id: BoardID,
        revision: String,
        width: Int,
        height: Int,
        panel: Panel,
        header: BoardCell.Header = .none,
        headerFrame: Rectangle? = nil,
        locale: String,
        timeZone: String,
        hourCycle: Display.HourCycle? = nil,
        model: String? = nil,
        byteLimit: Int? = nil,
        cells: [Cell]
    ) {
        self.id = id
        self.revision = revision
        self.width = width
        self.height = height
        self.panel = panel
        self.header = header
        self.headerFrame = headerFrame
        self.locale = locale
        self.timeZone = timeZone
        self.hourCycle = hourCycle
        self.model = model
        self.byteLimit = byteLimit
        self.cells = cells
    }

    /// The size of the picture in pixels, which is turned by the panel's rotation.
    public var pictureSize: (width: Int, height: Int) {
        panel.rotation.swapsSides ? (height, width) : (width, height)
    }

    /// A Boolean value that indicates whether at least one widget of the board exists.
    public var hasWidgets: Bool { cells.contains(where: \.exists) }

    /// The index of the cell whose layout contains the header; nil if there is no header or no cell with a widget.
    public var headerCell: Int? { header == .none ? nil : cells.firstIndex(where: \.exists) }

    /// The displays of the cells whose widgets exist, each with its widget, in the order of the cells.
    public var displays: [(widget: WidgetID, display: Display)] {
        let count = cells.count(where: \.exists)
        return cells.enumerated().filter { $0.element.exists }.map { index, cell in
            let hasHeader = index == headerCell
            var panel = panel
            panel.cell = BoardCell(
                place: BoardPlace(
                    id: id,
                    revision: revision,
                    cell: index,
                    of: count,
                    hasHeader: hasHeader ? true : nil
                ),
                name: cell.name,
                header: hasHeader ? header : nil,
                headerSize: hasHeader ? headerFrame.map { Size(width: $0.width, height: $0.height) } : nil
            )
            let display = Display(
                name: cell.display,
                family: .panel,
                mode: nil,
                width: cell.frame.width,
                compactHeight: nil,
                maximumHeight: cell.frame.height,
                contentSizeCategory: .large,
                scale: 1,
                insets: EdgeInsets(),
                locale: locale,
                timeZone: timeZone,
                hourCycle: hourCycle,
                panel: panel
            )
            return (cell.widget, display)
        }
    }
}
