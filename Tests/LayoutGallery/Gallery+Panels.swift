// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import WidgetSchema

extension Gallery {
    /// A screen that shows one widget in all of it; points are pixels.
    struct Panel: Sendable {
        let width: Double
        let height: Double
        /// The factor of its type, for its density.
        var factor = 1.0

        var name: String { "panel-\(Int(width))x\(Int(height))" }

        /// The panel upright, or lying if it stands.
        var turned: Panel { Panel(width: height, height: width, factor: factor) }
    }

    /// Electronic paper of 7.5, 4.2, 2.13, 2.9, 2.13, 9.7 and 10.3 inches.
    static let lyingPanels = [
        Panel(width: 800, height: 480), Panel(width: 400, height: 300), Panel(width: 250, height: 122),
        Panel(width: 296, height: 128), Panel(width: 212, height: 104), Panel(width: 1200, height: 825, factor: 1.2),
        Panel(width: 1872, height: 1404, factor: 1.8),
    ]
    static let panels = lyingPanels + lyingPanels.map(\.turned)

    /// Every kind on every panel in every language: passive ones, and panels that can be tapped.
    static var allPanels: [Item] {
        WidgetKind.allCases.flatMap { kind in
            panels.flatMap { panel in
                SampleLanguage.allCases.flatMap { language in
                    [PanelPalette.mono, .color].compactMap { Self.panel(kind, panel, .large, language, $0) }
                }
            }
        }
    }

    static func panel(
        _ kind: WidgetKind,
        _ panel: Panel,
        _ size: ContentSizeCategory = .large,
        _ language: SampleLanguage = .english,
        _ palette: PanelPalette = .mono
    ) -> Item? {
        guard let name = DisplayName(rawValue: "\(panel.name)-\(palette.rawValue)") else { return nil }
        let display = display(
            name,
            Size(width: panel.width, height: panel.height),
            WidgetSchema.Panel(palette: palette, typeFactor: panel.factor),
            language,
            size
        )
        return Item(kind, display, language)
    }

    static func display(
        _ name: DisplayName,
        _ size: Size,
        _ panel: WidgetSchema.Panel,
        _ language: SampleLanguage,
        _ category: ContentSizeCategory = .large
    ) -> Display {
        Display(
            name: name,
            family: .panel,
            mode: nil,
            width: size.width,
            compactHeight: nil,
            maximumHeight: size.height,
            contentSizeCategory: category,
            scale: 1,
            insets: EdgeInsets(),
            locale: language.rawValue,
            timeZone: language.timeZone,
            panel: panel
        )
    }
}

/// A board of the gallery: a panel with one to six cells, and the date above them.
struct SampleBoard: Sendable {
    /// The parts of the grid that the cells cover: column, row, columns and rows of 12 by 8.
    private static let layouts: [[(Double, Double, Double, Double)]] = [
        [(0, 0, 12, 8)],
        [(0, 0, 6, 8), (6, 0, 6, 8)],
        [(0, 0, 6, 8), (6, 0, 6, 4), (6, 4, 6, 4)],
        [(0, 0, 6, 4), (6, 0, 6, 4), (0, 4, 6, 4), (6, 4, 6, 4)],
        [(0, 0, 7, 5), (7, 0, 5, 5), (0, 5, 4, 3), (4, 5, 4, 3), (8, 5, 4, 3)],
        [(0, 0, 4, 4), (4, 0, 4, 4), (8, 0, 4, 4), (0, 4, 4, 4), (4, 4, 4, 4), (8, 4, 4, 4)],
    ]
    /// The kinds in the order in which the cells show them.
    private static let kinds: [WidgetKind] = [.feed, .forecast, .quote, .keyValue, .documents, .json]
    private static let headerHeight = 32.0

    struct Cell: Sendable {
        var item: Gallery.Item
        var frame: Rectangle
    }

    let panel: Gallery.Panel
    let palette: PanelPalette
    let language: SampleLanguage
    var cells: [Cell]
    let headerFrame: Rectangle

    static let counts = 1...6

    /// The cells with a widget whose content is stale, and one that failed before it had any.
    var withStates: SampleBoard {
        var board = self
        if let first = cells.indices.first { board.cells[first].item.sample.staleSince = SampleContents.lastSuccess }
        if let last = cells.indices.dropFirst().last {
            board.cells[last].item.sample.content = nil
            board.cells[last].item.sample.failure = FailureCause(class: .permanent, status: 404)
        }
        return board
    }

    /// Every panel of at least 400 pixels in every language, with one to six cells; one or two cells on smaller ones.
    static var all: [SampleBoard] {
        Gallery.panels.flatMap { panel in
            counts.filter { $0 <= 2 || min(panel.width, panel.height) >= 300 }.flatMap { count in
                SampleLanguage.allCases.flatMap { language in
                    let board = SampleBoard(panel, .mono, language, cells: count, first: count)
                    return [SampleBoard(panel, .mono, language, cells: count), board, board.withStates]
                }
            }
        }
    }

    /// `first` is the index of the kind that the first cell shows.
    init(_ panel: Gallery.Panel, _ palette: PanelPalette, _ language: SampleLanguage, cells count: Int, first: Int = 0)
    {
        (self.panel, self.palette, self.language) = (panel, palette, language)
        let margin = max((panel.width * 0.02).rounded(), 8)
        let gutter = panel.width < 400 ? 8.0 : 16
        let header = (Self.headerHeight * panel.factor).rounded()
        headerFrame = Rectangle(x: margin, y: margin, width: panel.width - 2 * margin, height: header)
        let top = margin + header + gutter / 2
        let (width, height) = (panel.width - 2 * margin + gutter, panel.height - top - margin + gutter)
        let size = Size(width: headerFrame.width, height: header)
        cells = Self.layouts[min(max(count, 1), Self.layouts.count) - 1].enumerated().compactMap { index, part in
            let (left, upper) = ((width * part.0 / 12).rounded(), (height * part.1 / 8).rounded())
            let frame = Rectangle(
                x: margin + left,
                y: top + upper,
                width: (width * (part.0 + part.2) / 12).rounded() - left - gutter,
                height: (height * (part.1 + part.3) / 8).rounded() - upper - gutter
            )
            guard let id = BoardID(rawValue: "gallery"),
                let name = DisplayName(rawValue: "board-\(Int(panel.width))x\(Int(panel.height))-\(count)-\(index)")
            else { return nil }
            let cell = BoardCell(
                place: BoardPlace(id: id, revision: "0", cell: index, of: count),
                header: index == 0 ? .date : nil,
                headerSize: index == 0 ? size : nil
            )
            let properties = WidgetSchema.Panel(palette: palette, typeFactor: panel.factor, cell: cell)
            let kind = Self.kinds[(first + index) % Self.kinds.count]
            var item = Gallery.Item(
                kind,
                Gallery.display(name, Size(width: frame.width, height: frame.height), properties, language),
                language
            )
            if kind == .keyValue { item.sample.showAllFacts() }
            return Cell(item: item, frame: frame)
        }
    }
}

extension WidgetSample {
    /// Shows several facts, of which the first one is that of the sample.
    mutating func showAllFacts() {
        guard case .keyValue(let facts) = content, let fact = facts.pairs.first else { return }
        definition.show = .all
        let others = [
            ("Living room", "21.5 °C"), ("Bedroom", "18.9 °C"), ("Power now", "342 W"), ("Next bus", "4 min"),
        ]
        content = .keyValue(
            KeyValueContent(pairs: others.map { KeyValuePair(key: $0.0, value: $0.1) } + [fact])
        )
    }
}
