// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A formatter for lines of cells, each in a column of a fixed width; widths are in terminal columns.
struct TextColumns: Sendable {
    enum Alignment: Sendable {
        case left
        case right
    }

    struct Cell: Sendable {
        var text: String
        var emphasis: TextStyle.Emphasis?

        init(_ text: String, _ emphasis: TextStyle.Emphasis? = nil) {
            self.text = text
            self.emphasis = emphasis
        }
    }

    /// The number of spaces between two columns.
    static let gap = 2

    var widths: [Int]
    var alignments: [Alignment]
    var style: TextStyle

    init(_ columns: [(width: Int, alignment: Alignment)], style: TextStyle) {
        widths = columns.map(\.width)
        alignments = columns.map(\.alignment)
        self.style = style
    }

    /// Returns one line without a newline or trailing spaces; texts that do not fit end with `…`.
    func line(_ cells: [Cell]) -> String {
        var line = ""
        // The number of spaces to write before the next text.
        var pending = 0
        for (column, cell) in cells.enumerated() {
            let text = CharacterWidth.shorten(cell.text, to: widths[column])
            let padding = widths[column] - CharacterWidth.columns(of: text)
            if alignments[column] == .right { pending += padding }
            if !text.isEmpty {
                line += String(repeating: " ", count: pending) + style.text(text, cell.emphasis)
                pending = 0
            }
            pending += (alignments[column] == .left ? padding : 0) + Self.gap
        }
        return line
    }
}
