// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import LayoutEngine
import WidgetSchema

/// A board of the gallery: the date and the time of the last change above one to six cells.
struct SampleBoard: Sendable {
    /// A cell with the widget that it shows.
    struct Cell: Sendable {
        var item: Gallery.Item
        let frame: Rectangle
    }

    static let counts = 1...6
    /// The kinds in the order in which the cells show them.
    private static let kinds: [WidgetKind] = [.feed, .forecast, .quote, .keyValue, .documents, .json]
    /// The minimum lengths of the shorter side of a panel with more than two cells.
    private static let leastSide = 300.0

    let board: Board
    let language: SampleLanguage
    var cells: [Cell]
    /// The time of the last visible change.
    var lastChange = SampleContents.instant.advanced(byMilliseconds: -4_000_000)

    var name: String {
        "board-\(board.width)x\(board.height)-\(board.panel.palette.rawValue)-\(cells.count)-\(language)"
    }

    /// Returns the areas of so many cells: those of a preset, or two rows of three.
    private static func areas(_ count: Int, isPortrait: Bool) -> [BoardArea] {
        let presets: [BoardPreset] = [.full, .halves, .oneTwo, .twoTwo, .twoThree]
        if presets.indices.contains(count - 1) { return presets[count - 1].areas(isPortrait: isPortrait) }
        return (0..<count).map { index in
            isPortrait
                ? BoardArea(column: index % 2 * 6 + 1, row: index / 2 * 2 + 1, columns: 6, rows: 2)
                : BoardArea(column: index % 3 * 4 + 1, row: index / 3 * 4 + 1, columns: 4, rows: 4)
        }
    }

    /// Creates a board of cells at their places in the grid; nil if it is too small for them.
    ///
    /// `first` is the index of the kind that the first cell shows.
    init?(
        _ size: Gallery.Panel,
        _ palette: PanelPalette,
        _ language: SampleLanguage,
        cells count: Int,
        first: Int = 0
    ) {
        let isPortrait = size.height > size.width
        let rows = isPortrait && count == 6 ? 6 : BoardGrid.defaultRows
        let grid = BoardGrid(
            width: Int(size.width),
            height: Int(size.height),
            rows: rows,
            hasHeader: true,
            typeFactor: size.factor
        )
        let frames = Self.areas(count, isPortrait: isPortrait).map(grid.frame(of:))
        self.init(size, palette, language, grid.header, frames) { Self.kinds[(first + $0) % Self.kinds.count] }
    }

    /// Creates a board of cells with frames.
    init?(
        _ size: Gallery.Panel,
        _ palette: PanelPalette,
        _ language: SampleLanguage,
        _ header: Rectangle?,
        _ frames: [Rectangle],
        locale: String? = nil,
        timeZone: String? = nil,
        kind: (Int) -> WidgetKind
    ) {
        guard let id = BoardID(rawValue: "gallery"), let widget = WidgetID(rawValue: "gallery"),
            frames.allSatisfy({ $0.width >= 1 && $0.height >= 1 })
        else { return nil }
        let prefix = "board-\(Int(size.width))x\(Int(size.height))-\(frames.count)"
        let names = frames.indices.compactMap { DisplayName(rawValue: "\(prefix)-\($0)") }
        board = Board(
            id: id,
            revision: "0",
            width: Int(size.width),
            height: Int(size.height),
            panel: Panel(palette: palette, typeFactor: size.factor),
            header: header == nil ? .none : .date,
            headerFrame: header,
            locale: locale ?? language.rawValue,
            timeZone: timeZone ?? language.timeZone,
            cells: zip(names, frames).map { Board.Cell(widget: widget, display: $0, frame: $1) }
        )
        self.language = language
        cells = zip(board.displays, frames).enumerated().map { index, place in
            let kind = kind(index)
            var item = Gallery.Item(kind, place.0.display, language)
            if kind == .keyValue { item.sample.showAllFacts() }
            return Cell(item: item, frame: place.1)
        }
    }

    /// The cells with a widget whose content is stale, and one that failed before it had any.
    ///
    /// Boards of at least four cells also have one that was never pushed, and boards of five an empty one.
    var withStates: SampleBoard {
        var board = self
        if let first = cells.indices.first { board.cells[first].item.sample.staleSince = SampleContents.lastSuccess }
        if let last = cells.indices.dropFirst().last {
            board.cells[last].item.sample.content = nil
            board.cells[last].item.sample.failure = FailureCause(class: .permanent, status: 404)
        }
        if cells.count >= 4 { (board.cells[2].item.sample.content, board.cells[2].item.sample.isPushed) = (nil, true) }
        if cells.count >= 5 { board.cells[3].item.sample.removeItems() }
        return board
    }

    /// Every panel of at least 300 pixels in every language, with one to six cells; one or two cells on smaller ones.
    ///
    /// The palettes of few colours take turns.
    static var all: [SampleBoard] {
        let palettes = PanelPalette.allCases.filter { $0.colors != nil }
        return Gallery.panels.flatMap { panel in
            counts.filter { $0 <= 2 || min(panel.width, panel.height) >= leastSide }.flatMap { count in
                SampleLanguage.allCases.enumerated().flatMap { index, language in
                    let palette = palettes[(index + count) % palettes.count]
                    let other = SampleBoard(panel, palette, language, cells: count, first: count)
                    return [SampleBoard(panel, palette, language, cells: count), other, other?.withStates]
                        .compactMap(\.self)
                }
            }
        }
    }
}

extension WidgetSample {
    /// Replaces the content by one without items.
    mutating func removeItems() {
        switch content {
        case .feed: content = .feed(FeedContent(title: nil, items: []))
        case .keyValue: content = .keyValue(KeyValueContent(pairs: []))
        case .forecast: content = .forecast(ForecastContent(days: []))
        case .quote: content = .quote(QuoteContent(quotes: []))
        case .documents: content = .documents(DocumentsContent(documents: []))
        case .json: content = .json(RowsContent(rows: []))
        case nil: break
        }
    }

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
