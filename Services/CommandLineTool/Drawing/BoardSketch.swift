// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import WidgetSchema

/// The grid of a board as text, for `tidings check --boards`.
struct BoardSketch {
    /// The width of a board in characters, unless its columns need more.
    private static let width = 72
    private static let minimumColumnWidth = 3
    private static let rowHeight = 2

    let board: Board
    let areas: [BoardArea]
    let columns: Int
    let rows: Int

    /// Creates the sketch of a configured board; nil if the configuration does not have it.
    init?(_ board: Board, of configuration: TidingsConfiguration) {
        guard let grid = configuration.areas(of: board.id), grid.areas.count == board.cells.count else { return nil }
        self.board = board
        (areas, columns, rows) = grid
    }

    /// The title and the lines of the grid, each with a newline at its end.
    var text: String { title + "\n" + lines.map { $0 + "\n" }.joined() }

    private var title: String {
        let panel = board.panel
        let parts: [String?] = [
            "\(board.width) x \(board.height) pixels", board.model, panel.palette.rawValue,
            panel.rotation == .none ? nil : "turned by \(panel.rotation.rawValue) degrees",
            panel.isInverted ? "inverted" : nil, board.header == .date ? "header with the date" : nil,
        ]
        return "board \(board.id): " + parts.compactMap(\.self).joined(separator: ", ")
    }

    /// The boxes of the cells, each with the number of the cell and its widget in its upper edge.
    private var lines: [String] {
        let columnWidth = max(Self.minimumColumnWidth, Self.width / columns)
        var canvas = [[Character]](
            repeating: [Character](repeating: " ", count: columns * columnWidth),
            count: rows * Self.rowHeight
        )
        for (index, (cell, area)) in zip(board.cells, areas).enumerated() {
            let (left, right) = ((area.column - 1) * columnWidth, area.lastColumn * columnWidth - 1)
            let (top, bottom) = ((area.row - 1) * Self.rowHeight, area.lastRow * Self.rowHeight - 1)
            for x in left...right { (canvas[top][x], canvas[bottom][x]) = ("─", "─") }
            for y in top...bottom { (canvas[y][left], canvas[y][right]) = ("│", "│") }
            (canvas[top][left], canvas[top][right]) = ("┌", "┐")
            (canvas[bottom][left], canvas[bottom][right]) = ("└", "┘")
            let label = " \(index + 1) \(cell.widget)\(cell.exists ? "" : " (does not exist)") "
            for (offset, character) in label.prefix(right - left - 1).enumerated() {
                canvas[top][left + 1 + offset] = character
            }
        }
        return canvas.map { line in
            var text = String(line)
            while text.last == " " { text.removeLast() }
            return "  " + text
        }
    }
}
