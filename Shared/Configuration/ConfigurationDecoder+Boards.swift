// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import WidgetSchema

/// A board as the configuration describes it, before it is known which of its widgets exist.
struct BoardEntry: Sendable, Equatable {
    struct Cell: Sendable, Equatable {
        var widget: WidgetID
        /// The place of the widget's id in the file.
        var mark: YAMLMark
        var name: String?
        var area: BoardArea
    }

    var id: BoardID
    var file: String
    var panel: Panel
    var model: PanelModel?
    /// The lowest limit of the panels that show the board, if the board names no model; nil if there is none.
    var panelByteLimit: Int?
    var grid: BoardGridSize
    var header: BoardCell.Header
    var locale: String
    var timeZone: String
    var hourCycle: Display.HourCycle?
    var cells: [Cell]
}

/// The size of a board and its numbers of columns and rows.
struct BoardGridSize: Sendable, Equatable {
    var width: Int
    var height: Int
    var columns = BoardGrid.defaultColumns
    var rows = BoardGrid.defaultRows

    var isPortrait: Bool { height > width }
}

/// Decoding of boards.
extension ConfigurationDecoder {
    mutating func decodeBoards(_ node: YAMLNode) -> [BoardEntry] {
        let entries = nodes.entries(node, "boards")
        guard entries.count <= Board.maximumBoards else {
            nodes.fail(
                entries[Board.maximumBoards].keyMark,
                "there are \(entries.count) boards; at most \(Board.maximumBoards) are allowed"
            )
            return []
        }
        let boards = entries.compactMap { decodeBoard($0) }
        var counts: [WidgetID: Int] = [:]
        for cell in boards.flatMap(\.cells) {
            counts[cell.widget, default: 0] += 1
            guard counts[cell.widget] == Board.maximumCellsOfWidget + 1 else { continue }
            nodes.fail(
                cell.mark,
                "widget '\(cell.widget)' has more than \(Board.maximumCellsOfWidget) cells on all boards together; "
                    + "remove cells"
            )
        }
        return boards
    }

    private mutating func decodeBoard(_ entry: YAMLNode.Entry) -> BoardEntry? {
        let what = "board '\(entry.key.prefix(YAMLNode.maximumShown))'"
        let id = nodes.identifier(entry.key, at: entry.keyMark, BoardID.self)
        let remedy = "write {model: MODEL, layout: full, cells: [{widget: ID}]}"
        guard nodes.isMapping(entry.value, what, remedy: remedy) else { return nil }
        let keys = nodes.mapping(
            entry.value,
            what,
            known: [
                "width", "height", "layout", "columns", "rows", "header", "locale", "timeZone", "hourCycle", "cells",
            ] + Self.panelKeys,
            foreign: .board
        )
        let panel = decodePanel(keys)
        let header =
            keys["header"].flatMap { nodes.choice($0.value, $0.key, BoardCell.Header.self, foreign: .headers) }
            ?? BoardCell.Header.none
        let locale = decodeLocale(keys["locale"])
        let timeZone = checked(keys["timeZone"], Region.problem(timeZone:))
        let hourCycle = keys["hourCycle"].flatMap {
            nodes.choice($0.value, $0.key, Display.HourCycle.self, foreign: .hourCycles)
        }
        let size = boardSize(keys, panel, what, at: entry.keyMark)
        guard let places = keys["cells"] else {
            nodes.fail(entry.keyMark, "\(what) has no cells; write cells: [{widget: ID}]")
            return nil
        }
        // The errors of cells are reported without a valid size, too.
        let cells = decodeCells(places, keys, size ?? BoardGridSize(width: 0, height: 0))
        guard let id, let size, let cells else { return nil }
        let board = BoardEntry(
            id: id,
            file: file,
            panel: panel.panel,
            model: panel.model,
            grid: size.divided(keys, &nodes),
            header: header,
            locale: locale ?? TidingsConfiguration.defaultLocale,
            timeZone: timeZone ?? TidingsConfiguration.defaultTimeZone,
            hourCycle: hourCycle,
            cells: cells
        )
        checkFrames(of: board)
        return board
    }

    private mutating func boardSize(
        _ keys: [String: YAMLNode.Entry],
        _ panel: DecodedPanel,
        _ what: String,
        at mark: YAMLMark
    ) -> BoardGridSize? {
        let width = keys["width"].flatMap { nodes.integer($0.value, $0.key, in: PanelSize.lengths) }
        let height = keys["height"].flatMap { nodes.integer($0.value, $0.key, in: PanelSize.lengths) }
        if let size = panel.size { return BoardGridSize(width: Int(size.width), height: Int(size.maximumHeight)) }
        if let width, let height { return BoardGridSize(width: width, height: height) }
        // An invalid model, width or height is an error already.
        if keys["model"] == nil, keys["width"] == nil || keys["height"] == nil {
            nodes.fail(mark, "\(what) has no size; give model, or width and height in pixels")
        }
        return nil
    }

    // MARK: Cells

    private mutating func decodeCells(
        _ places: YAMLNode.Entry,
        _ keys: [String: YAMLNode.Entry],
        _ size: BoardGridSize
    ) -> [BoardEntry.Cell]? {
        guard let items = nodes.items(places.value, "cells") else { return nil }
        guard !items.isEmpty else {
            nodes.fail(places.value.mark, "cells is an empty list; write cells: [{widget: ID}]")
            return nil
        }
        guard items.count <= Board.maximumCells else {
            nodes.fail(
                items[Board.maximumCells].mark,
                "a board has at most \(Board.maximumCells) cells; this one has \(items.count)"
            )
            return nil
        }
        guard let layout = keys["layout"] else {
            let grid = size.divided(keys, &nodes, reports: true)
            return checkOverlaps(items.compactMap { decodeCell($0, in: grid) })
        }
        for key in ["columns", "rows"] {
            guard let entry = keys[key] else { continue }
            nodes.fail(entry.keyMark, "layout determines the columns and rows; remove \(key), or remove layout")
        }
        guard let preset = nodes.choice(layout.value, layout.key, BoardPreset.self, foreign: .presets) else {
            for item in items { _ = decodeCell(item, in: nil, filling: BoardArea(column: 1, row: 1)) }
            return nil
        }
        let areas = preset.areas(isPortrait: size.isPortrait)
        if items.count > areas.count {
            let places = areas.count == 1 ? "one cell" : "\(areas.count) cells"
            nodes.fail(
                items[areas.count].mark,
                "layout \(preset.rawValue) has \(places); remove cells, or give columns, rows and at instead of layout"
            )
        }
        return zip(items, areas).compactMap { decodeCell($0, in: nil, filling: $1) }
    }

    /// Returns the cell of a list; `preset` is its area if the board has a preset, else `grid` is the board's grid.
    private mutating func decodeCell(
        _ node: YAMLNode,
        in grid: BoardGridSize?,
        filling preset: BoardArea? = nil
    ) -> BoardEntry.Cell? {
        var example = "ID"
        if case .scalar(let text, _) = node.content, !node.isNull, WidgetID(rawValue: text) != nil { example = text }
        guard nodes.isMapping(node, "a cell", remedy: "write {widget: \(example)}") else { return nil }
        let keys = nodes.mapping(node, "a cell", known: ["widget", "name", "at", "span"], foreign: .cell)
        let name = keys["name"].flatMap { nodes.name($0.value) }
        var area = preset
        if let grid {
            area = decodeArea(keys, in: grid, at: node.mark)
        } else {
            for key in ["at", "span"] {
                guard let entry = keys[key] else { continue }
                nodes.fail(entry.keyMark, "layout determines the places of cells; remove \(key), or remove layout")
            }
        }
        guard let place = keys["widget"] else {
            nodes.fail(node.mark, "a cell has no widget; write {widget: ID}")
            return nil
        }
        guard let text = nodes.text(place.value, place.key) else { return nil }
        guard let widget = WidgetID(rawValue: text) else {
            nodes.fail(place.value.mark, "\(place.value.kind) is not valid: \(WidgetID.rule)")
            return nil
        }
        return area.map { BoardEntry.Cell(widget: widget, mark: place.value.mark, name: name, area: $0) }
    }

    private mutating func decodeArea(
        _ keys: [String: YAMLNode.Entry],
        in grid: BoardGridSize,
        at mark: YAMLMark
    ) -> BoardArea? {
        guard let at = keys["at"] else {
            nodes.fail(
                mark,
                "a cell has no place; give at: [column, row] and span: [columns, rows], or the board a layout"
            )
            return nil
        }
        guard let (column, row) = pair(at, "column", "row", example: "[1, 1] for the top left") else { return nil }
        var (columns, rows) = (1, 1)
        if let span = keys["span"] {
            guard let extent = pair(span, "columns", "rows", example: "[6, 4]") else { return nil }
            (columns, rows) = extent
        }
        let area = BoardArea(column: column, row: row, columns: columns, rows: rows)
        guard area.lastColumn <= grid.columns, area.lastRow <= grid.rows else {
            let isAtFault = column > grid.columns || row > grid.rows
            nodes.fail(
                isAtFault ? at.value.mark : keys["span"]?.value.mark ?? at.value.mark,
                "the cell at column \(column) and row \(row) ends at column \(area.lastColumn) and row \(area.lastRow); "
                    + "the board has \(grid.columns) columns and \(grid.rows) rows"
            )
            return nil
        }
        return area
    }

    private mutating func pair(
        _ entry: YAMLNode.Entry,
        _ first: String,
        _ second: String,
        example: String
    ) -> (Int, Int)? {
        guard case .sequence(let items) = entry.value.content, items.count == 2 else {
            nodes.fail(
                entry.value.mark,
                "\(entry.key) must be [\(first), \(second)], such as \(example), not \(entry.value.kind)"
            )
            return nil
        }
        let numbers = [(items[0], first), (items[1], second)].map {
            nodes.integer($0, "\(entry.key): \($1)", in: BoardGrid.divisions)
        }
        guard let one = numbers[0], let other = numbers[1] else { return nil }
        return (one, other)
    }

    private mutating func checkOverlaps(_ cells: [BoardEntry.Cell]) -> [BoardEntry.Cell] {
        for (index, cell) in cells.enumerated() {
            guard let other = cells[..<index].first(where: { $0.area.overlaps(cell.area) }) else { continue }
            nodes.fail(
                cell.mark,
                "the cell of '\(cell.widget)' (\(cell.area.text)) overlaps that of '\(other.widget)' (\(other.area.text))"
            )
        }
        return cells
    }

    /// Reports cells that are too small to be drawn.
    private mutating func checkFrames(of board: BoardEntry) {
        let grid = board.frames
        let lengths = ConfigurationLimits.cellLength
        for cell in board.cells {
            let frame = grid.frame(of: cell.area)
            guard !lengths.contains(frame.width) || !lengths.contains(frame.height) else { continue }
            let (width, height, least) = (Int(frame.width), Int(frame.height), Int(lengths.lowerBound))
            let fault =
                width > 0 && height > 0
                ? "would have \(width) x \(height) pixels; at least \(least) x \(least) are needed" : "has no room"
            nodes.fail(
                cell.mark,
                "the cell of '\(cell.widget)' \(fault): use fewer columns and rows, a larger span, or no header"
            )
        }
    }

    /// Reports displays whose names are those of a board's cells.
    mutating func checkNames(of displays: YAMLNode?, against boards: [BoardEntry]) {
        guard let displays, case .mapping(let entries) = displays.content else { return }
        for entry in entries {
            guard let match = entry.key.wholeMatch(of: /(.+)-c[0-9]+r[0-9]+/),
                let board = boards.first(where: { $0.id.rawValue == match.1 })
            else { continue }
            nodes.fail(
                entry.keyMark,
                "'\(entry.key)' is the name of a cell of board '\(board.id)'; give the display another name"
            )
        }
    }
}

extension BoardGridSize {
    /// Returns the grid with the numbers of columns and rows of a board's keys; invalid numbers are reported if `reports`
    /// is true, and replaced by the defaults.
    func divided(_ keys: [String: YAMLNode.Entry], _ nodes: inout NodeDecoder, reports: Bool = false) -> BoardGridSize {
        guard keys["layout"] == nil else { return self }
        var decoder = nodes
        var grid = self
        if let entry = keys["columns"] {
            grid.columns = decoder.integer(entry.value, entry.key, in: BoardGrid.divisions) ?? columns
        }
        if let entry = keys["rows"] {
            grid.rows = decoder.integer(entry.value, entry.key, in: BoardGrid.divisions) ?? rows
        }
        if reports { nodes = decoder }
        return grid
    }
}

extension BoardArea {
    /// A description for errors, such as `columns 1 to 7, rows 1 to 5`.
    var text: String { "columns \(column) to \(lastColumn), rows \(row) to \(lastRow)" }
}

extension BoardEntry {
    /// The grid that computes the frames of the cells.
    var frames: BoardGrid {
        BoardGrid(
            width: grid.width,
            height: grid.height,
            columns: grid.columns,
            rows: grid.rows,
            hasHeader: header != .none,
            typeFactor: panel.typeFactor
        )
    }
}
