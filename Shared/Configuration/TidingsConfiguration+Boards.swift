// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CommandOptions
import Cryptography
import Text
public import WidgetSchema

extension TidingsConfiguration {
    /// The number of hexadecimal digits in a board's revision.
    static let revisionDigits = 16

    /// The maximum number of widgets among which a similar id is searched.
    static let maximumSuggested = 1_000

    /// Determines the boards and the displays of their cells, once all widgets are known.
    ///
    /// A cell whose widget does not exist causes a warning, and its place stays empty. If `isComplete` is false, there is no
    /// such warning, because widgets with errors are missing.
    mutating func resolveBoards(isComplete: Bool) {
        if isComplete { warnAboutWidgetsWithoutBoard() }
        guard !boardEntries.isEmpty else { return }
        let known = Set(widgets.map(\.id))
        let names = known.count <= Self.maximumSuggested ? known.map(\.rawValue).sorted() : []
        boards = boardEntries.map { entry in
            for cell in entry.cells where isComplete && !known.contains(cell.widget) {
                let suggestion = EditDistance.closest(to: cell.widget.rawValue, among: names)
                warnings.append(
                    "\(entry.file):\(cell.mark): there is no widget '\(cell.widget)'; its cell on board '\(entry.id)' stays "
                        + "empty" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
                )
            }
            return Board(entry, known: known)
        }
        for (widget, display) in boards.flatMap(\.displays) { cellDisplays[widget, default: []].append(display) }
    }

    /// Adds a warning for each widget that is fetched when a panel shows it, but is on no board.
    private mutating func warnAboutWidgetsWithoutBoard() {
        let shown = Set(boardEntries.flatMap(\.cells).map(\.widget))
        for widget in widgets where widget.isFetchedWhenShown && !shown.contains(widget.id) {
            warnings.append(
                "widget '\(widget.id)' has interval: \(Widget.whenShown), but is on no board; it is fetched once, and then only "
                    + "when somebody refreshes it"
            )
        }
    }

    /// Returns the board with this id; nil if there is none.
    public func board(_ id: BoardID) -> Board? { boards.first { $0.id == id } }

    /// Returns the area of each cell of a board, in the order of the cells, with the board's numbers of columns and rows.
    public func areas(of board: BoardID) -> (areas: [BoardArea], columns: Int, rows: Int)? {
        boardEntries.first { $0.id == board }.map { ($0.cells.map(\.area), $0.grid.columns, $0.grid.rows) }
    }
}

extension Board {
    /// Creates the board of an entry; `known` are the widgets that exist.
    fileprivate init(_ entry: BoardEntry, known: Set<WidgetID>) {
        let grid = entry.frames
        self.init(
            id: entry.id,
            revision: "",
            width: entry.grid.width,
            height: entry.grid.height,
            panel: entry.panel,
            header: entry.header,
            headerFrame: grid.header,
            locale: entry.locale,
            timeZone: entry.timeZone,
            hourCycle: entry.hourCycle,
            model: entry.model?.name,
            byteLimit: entry.model?.byteLimit ?? entry.panelByteLimit,
            cells: entry.cells.compactMap { cell in
                DisplayName(rawValue: "\(entry.id)-\(cell.area.name)").map { display in
                    Cell(
                        widget: cell.widget,
                        display: display,
                        name: cell.name,
                        frame: grid.frame(of: cell.area),
                        exists: known.contains(cell.widget)
                    )
                }
            }
        )
        let text = (try? WireJSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\(self)"
        revision = String(SHA256.hexDigest(of: text).prefix(TidingsConfiguration.revisionDigits))
    }
}
