// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A layout as text: a frame with the lines that the display shows, from top to bottom.
///
/// Texts are aligned as in the layout. All characters of a terminal have the same width, so a text can be too wide for
/// its line. Such a text is cut.
struct LayoutPicture: Sendable {
    /// One line of the picture: texts side by side, or a horizontal rule.
    private enum Line: Sendable {
        case cells([Cell])
        case rule
    }

    /// The texts that one view of the layout shows in a line, and the right end of this cell.
    private struct Cell: Sendable {
        var pieces: [Piece]
        /// The right end of the cell as a fraction of the line's width, from 0 to 1; the next view begins there.
        var end: Double
    }

    private struct Piece: Sendable {
        enum Alignment: Sendable {
            case left
            case center
            case right
        }

        var text: String
        var emphasis: TextStyle.Emphasis?
        var alignment: Alignment
    }

    /// The maximum distance in points from an edge at which a text or a view counts as being at this edge.
    private static let edgeTolerance = 2.0
    /// The margin between the frame and the texts, in columns.
    private static let margin = 1

    let layout: Layout
    let columns: Int
    let box: BoxCharacters
    let style: TextStyle

    /// The picture as lines of text, each with its newline.
    var text: String {
        let width = max(columns - 2, 2 * Self.margin + 1)
        var lines = [box.top(width)]
        for line in self.lines {
            switch line {
            case .rule: lines.append(box.middle(width))
            case .cells(let cells): lines.append(box.vertical + drawn(cells, width: width) + box.vertical)
            }
        }
        lines.append(box.bottom(width))
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: From the layout

    private var lines: [Line] {
        var lines: [Line] = []
        for views in groups {
            guard let first = views.first, !isLine(first) else {
                // Each column has its own divider, so several dividers side by side become one rule.
                if case .rule = lines.last { continue }
                lines.append(.rule)
                continue
            }
            let texts = views.map(texts)
            let ends = views.dropFirst().map { $0.frame.x / max(layout.size.width, 1) } + [1]
            for index in 0..<(texts.map(\.count).max() ?? 0) {
                lines.append(
                    .cells(
                        zip(texts, ends).map { texts, end in
                            Cell(pieces: index < texts.count ? texts[index] : [], end: end)
                        }
                    )
                )
            }
        }
        return lines
    }

    private func isLine(_ view: LayoutView) -> Bool { view.kind == .divider || view.kind == .rule }

    /// The views of the layout in groups, from top to bottom.
    ///
    /// Views that are side by side form one group, from left to right. Each divider is a group of its own. Lines
    /// between columns are left out.
    private var groups: [[LayoutView]] {
        var groups: [[LayoutView]] = []
        for view in layout.views.filter({ $0.kind != .dots }).sorted(by: {
            ($0.frame.y, $0.frame.x) < ($1.frame.y, $1.frame.x)
        }) {
            if let last = groups.last?.last, !isLine(last), !isLine(view),
                view.frame.y < last.frame.y + last.frame.height - Self.edgeTolerance,
                view.frame.x >= last.frame.x + last.frame.width - Self.edgeTolerance
            {
                groups[groups.count - 1].append(view)
            } else {
                groups.append([view])
            }
        }
        return groups
    }

    /// Returns the texts of a view and of its subviews as lines from top to bottom; each line is sorted from left to
    /// right.
    private func texts(in view: LayoutView) -> [[Piece]] {
        var found: [(y: Double, x: Double, piece: Piece)] = []
        collect(view, in: Parent(), into: &found)
        found.sort { ($0.y, $0.x) < ($1.y, $1.x) }
        var lines: [(y: Double, pieces: [Piece])] = []
        for (y, _, piece) in found {
            if let last = lines.last, abs(last.y - y) < 1 {
                lines[lines.count - 1].pieces.append(piece)
            } else {
                lines.append((y, [piece]))
            }
        }
        return lines.map(\.pieces)
    }

    /// The properties of a parent view: its position in the layout, and whether it is a button or inside a button.
    private struct Parent {
        var x = 0.0
        var y = 0.0
        var isButton = false
    }

    private func collect(
        _ view: LayoutView,
        in parent: Parent,
        into found: inout [(y: Double, x: Double, piece: Piece)]
    ) {
        let (left, top) = (parent.x + view.frame.x, parent.y + view.frame.y)
        let isButton = parent.isButton || view.kind == .button
        var lines = view.text?.lines ?? []
        if isButton, let first = lines.first {
            // The lines of a caption are joined, so that they are drawn as one button.
            lines = [first]
            lines[0].text = (view.text?.lines ?? []).map(\.text).joined(separator: " ")
        }
        for line in lines {
            let text = MessagePrinter.printable(line.text)
            let piece = Piece(
                text: isButton ? "[ \(text) ]" : text,
                emphasis: emphasis(of: view.text),
                alignment: alignment(of: line, in: view.frame.width)
            )
            found.append((top + line.baseline, left + line.x, piece))
        }
        let own = Parent(x: left, y: top, isButton: isButton)
        for child in view.views ?? [] { collect(child, in: own, into: &found) }
    }

    private func emphasis(of text: LayoutText?) -> TextStyle.Emphasis? {
        guard let text else { return nil }
        if text.color == .secondaryLabel { return .faint }
        return text.font.weight == .regular ? nil : .strong
    }

    /// Returns the alignment of a line of text in a label that is `width` points wide.
    ///
    /// Returns `.left` if the line begins at the left edge of the label, even if it also ends at the right edge.
    /// Otherwise, returns `.right` if it ends at the right edge, or else `.center`. A distance of up to `edgeTolerance`
    /// from an edge counts as being at the edge.
    private func alignment(of line: TextLine, in width: Double) -> Piece.Alignment {
        let (left, right) = (line.x, width - line.x - line.width)
        if left <= Self.edgeTolerance { return .left }
        return right <= Self.edgeTolerance ? .right : .center
    }

    // MARK: To the terminal

    private func drawn(_ cells: [Cell], width: Int) -> String {
        var (line, used) = ("", 0)
        for (index, cell) in cells.enumerated() {
            // Each view to the right needs at least one column of text with its margins.
            let most = width - (cells.count - index - 1) * (2 * Self.margin + 1)
            let end = min(Int((cell.end * Double(width)).rounded()), most)
            let columns = max(end - used, 2 * Self.margin + 1)
            line += drawn(cell.pieces, width: columns)
            used += columns
        }
        return line
    }

    private func drawn(_ pieces: [Piece], width: Int) -> String {
        guard !pieces.isEmpty else { return String(repeating: " ", count: width) }
        let room = width - 2 * Self.margin
        let edge = String(repeating: " ", count: Self.margin)
        if pieces.count == 1, let piece = pieces.first {
            let text = CharacterWidth.shorten(piece.text, to: room, ellipsis: box.ellipsis)
            let free = room - CharacterWidth.columns(of: text)
            let before =
                switch piece.alignment {
                case .left: 0
                case .center: free / 2
                case .right: free
                }
            return edge + String(repeating: " ", count: before) + style.text(text, piece.emphasis)
                + String(repeating: " ", count: free - before) + edge
        }
        // Texts side by side have equal shares of the width, and the last one ends at the right edge.
        let share = max((room - (pieces.count - 1)) / max(pieces.count, 1), 1)
        let texts = pieces.map { CharacterWidth.shorten($0.text, to: share, ellipsis: box.ellipsis) }
        let used = texts.map(CharacterWidth.columns).reduce(0, +)
        let gaps = max(texts.count - 1, 1)
        var line = ""
        var free = max(room - used, 0)
        for (index, text) in texts.enumerated() {
            line += style.text(text, pieces[index].emphasis)
            let gap = index == texts.count - 1 ? 0 : free / (gaps - index)
            line += String(repeating: " ", count: gap)
            free -= gap
        }
        return edge + line + String(repeating: " ", count: free) + edge
    }
}
