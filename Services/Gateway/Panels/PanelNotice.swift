// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A picture that says what to do with a panel that shows no board.
struct PanelNotice: Hashable, Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// The panel is not in the configuration, and has no key.
        case unknown
        /// The panel is in the configuration, and has no key.
        case unpaired
        /// The panel sends another key than the one that it got.
        case wrongKey
        /// The panel has a key, and is not in the configuration.
        case noBoard
        /// The board has no picture yet.
        case starting

        /// A Boolean value that indicates whether the notice shows the id of its panel.
        var showsID: Bool {
            switch self {
            case .unknown, .unpaired, .wrongKey, .noBoard: true
            case .starting: false
            }
        }
    }

    /// The size of the picture of a panel that tells none.
    static let defaultSize = (width: 800, height: 480)

    var kind: Kind
    /// The id that the notice shows; nil for a general one.
    var panel: PanelID?
    /// The name of the panel in the lines to add.
    var name: String
    /// The board in the lines to add; nil if the configuration has none.
    var board: String?
    /// The width in pixels.
    var width: Int
    /// The height in pixels.
    var height: Int

    private var title: String {
        switch kind {
        case .unknown: "This panel is new"
        case .unpaired: "This panel has no key yet"
        case .wrongKey: "This panel has another key"
        case .noBoard: "This panel has no board"
        case .starting: "The first picture is on its way"
        }
    }

    /// A line of text, with the depth of its indentation.
    private typealias Line = (text: String, depth: Int)

    private var lines: [Line] {
        let id = panel?.rawValue ?? "ID, as 'tidings panel list' shows it"
        let entry: [Line] = [
            ("Add this to tidings.yml, below panels:", 0), ("\(name):", 1), ("id: \(id)", 2),
            ("board: \(board ?? "a name below boards:")", 2),
        ]
        let press = "Then press the button of the panel."
        switch kind {
        case .unknown: return entry + [("and run: tidings panel pair", 0), (press, 0)]
        case .noBoard: return entry + [(press, 0)]
        case .unpaired:
            return [("Its id: \(id)", 0), ("Open the pairing window:", 0), ("tidings panel pair", 1), (press, 0)]
        case .wrongKey:
            return [
                ("Its id: \(id)", 0), ("If it came from another server, adopt it:", 0),
                ("tidings panel pair \(panel?.rawValue ?? "ID")", 1), (press, 0),
            ]
        case .starting: return [("Its board has no picture yet.", 0), ("Its widgets are being fetched.", 0)]
        }
    }

    // MARK: Layout

    /// The sizes of type in pixels that are tried, the largest first.
    private static let sizes = [48.0, 36, 30, 24, 18, 16, 15, 13]
    /// The maximum width of a character as a part of the size of type.
    private static let characterWidth = 0.62
    /// The distance between baselines as a part of the size of type.
    private static let leading = 1.4
    /// The part of a panel's height that lines fill at most.
    private static let filled = 0.9

    /// The request that draws the notice; the same notice always makes the same request.
    var request: BoardRequest? {
        guard let widget = WidgetID(rawValue: "notice"), let display = DisplayName(rawValue: "notice"),
            let id = BoardID(rawValue: "notice")
        else { return nil }
        let frame = Rectangle(x: 0, y: 0, width: Double(width), height: Double(height))
        let board = Board(
            id: id,
            revision: "notice",
            width: width,
            height: height,
            panel: Panel(palette: .mono),
            locale: "en_US",
            timeZone: "GMT",
            cells: [Board.Cell(widget: widget, display: display, frame: frame)]
        )
        return BoardRequest(board: board, cells: [BoardRequest.Cell(cell: 0, layout: layout)])
    }

    private var layout: Layout {
        let grid = BoardGrid(width: width, height: height, hasHeader: false)
        let (x, y) = (Double(grid.horizontalMargin), Double(grid.verticalMargin))
        let (room, lines) = (Double(width) - 2 * x, lines)
        let longest = ([(title, 1)] + lines).map { Double($0.0.count + 2 * $0.1) }.max() ?? 1
        let size =
            Self.sizes.first {
                $0 * Self.characterWidth * longest <= room
                    && $0 * Self.leading * Double(lines.count + 3) <= Double(height) * Self.filled
            } ?? Self.sizes[Self.sizes.count - 1]
        let step = (size * Self.leading).rounded()
        let barHeight = (step * 1.5).rounded()
        let margin = (size / 2).rounded()
        var views = [
            LayoutView(
                kind: .bar,
                frame: Rectangle(x: x, y: y, width: room, height: barHeight),
                views: [
                    label(
                        title,
                        Look(weight: .bold, size: size, color: .inverse),
                        Rectangle(x: margin, y: margin / 2, width: room, height: step)
                    )
                ]
            )
        ]
        for (index, line) in lines.enumerated() {
            let indent = margin + size * Double(line.depth)
            let top = y + barHeight + margin + step * Double(index)
            views.append(
                label(
                    line.text,
                    Look(weight: line.depth > 0 ? .bold : .regular, size: size, color: .label),
                    Rectangle(x: x + indent, y: top, width: room - indent, height: step)
                )
            )
        }
        return Layout(size: Size(width: Double(width), height: Double(height)), views: views)
    }

    /// The look of a line.
    private struct Look {
        var weight: LayoutFont.Weight
        /// The size of type in pixels.
        var size: Double
        var color: LayoutText.ColorRole
    }

    private func label(_ text: String, _ look: Look, _ frame: Rectangle) -> LayoutView {
        let font = LayoutFont(style: .body, weight: look.weight, size: look.size, leading: frame.height)
        let line = TextLine(text: text, x: 0, baseline: look.size.rounded(), width: frame.width)
        return LayoutView(kind: .label, frame: frame, text: LayoutText(lines: [line], font: font, color: look.color))
    }
}
