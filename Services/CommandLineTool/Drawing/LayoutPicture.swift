// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A layout as text: a frame with the lines that the display shows, from top to bottom.
///
/// The alignment of a text follows the layout. All characters of a terminal have the same width, so a text may be wider
/// than in the layout; it is then cut.
struct LayoutPicture: Sendable {
    /// One line of the layout, or a divider.
    private enum Line: Sendable {
        case text([Piece])
        case rule
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

    /// The distance in points from an edge of their label within which texts count as aligned with it.
    private static let edgeTolerance = 2.0
    /// The margin between the frame and the texts, in columns.
    private static let margin = 1

    let layout: Layout
    let columns: Int
    let box: BoxCharacters
    let style: TextStyle

    /// All lines, each with its newline.
    var text: String {
        let width = max(columns - 2, 2 * Self.margin + 1)
        var lines = [box.top(width)]
        for line in self.lines {
            switch line {
            case .rule: lines.append(box.middle(width))
            case .text(let pieces): lines.append(box.vertical + drawn(pieces, width: width) + box.vertical)
            }
        }
        lines.append(box.bottom(width))
        return lines.map { $0 + "\n" }.joined()
    }

    // MARK: From the layout

    private var lines: [Line] {
        var lines: [Line] = []
        // Dividers separate rows and buttons; a display that is too narrow has none.
        for view in layout.views.sorted(by: { $0.frame.y < $1.frame.y }) {
            if view.kind == .divider {
                lines.append(.rule)
            } else {
                lines += texts(in: view).map { .text($0) }
            }
        }
        return lines
    }

    /// Returns the texts of a view and of its descendants; texts at the same height are in one line.
    private func texts(in view: LayoutView) -> [[Piece]] {
        var found: [(y: Double, x: Double, piece: Piece)] = []
        collect(view, x: 0, y: 0, isButton: false, into: &found)
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

    private func collect(
        _ view: LayoutView,
        x: Double,
        y: Double,
        isButton: Bool,
        into found: inout [(y: Double, x: Double, piece: Piece)]
    ) {
        let (left, top) = (x + view.frame.x, y + view.frame.y)
        let isButton = isButton || view.kind == .button
        for line in view.text?.lines ?? [] {
            let text = MessagePrinter.printable(line.text)
            let piece = Piece(
                text: isButton ? "[ \(text) ]" : text,
                emphasis: emphasis(of: view.text),
                alignment: alignment(of: line, in: view.frame.width)
            )
            found.append((top + line.baseline, left + line.x, piece))
        }
        for child in view.views ?? [] { collect(child, x: left, y: top, isButton: isButton, into: &found) }
    }

    private func emphasis(of text: LayoutText?) -> TextStyle.Emphasis? {
        guard let text else { return nil }
        if text.color == .secondaryLabel { return .faint }
        return text.font.weight == .regular ? nil : .strong
    }

    /// Returns the alignment of a line in its label; a line that fills it is aligned left.
    private func alignment(of line: TextLine, in width: Double) -> Piece.Alignment {
        let (left, right) = (line.x, width - line.x - line.width)
        if left <= Self.edgeTolerance { return .left }
        return right <= Self.edgeTolerance ? .right : .center
    }

    // MARK: To the terminal

    private func drawn(_ pieces: [Piece], width: Int) -> String {
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
        // Side by side: the last text is at the right edge, and each has an equal share of the width.
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
