// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The boards, as the latest updates of their widgets describe them.
///
/// A board is complete if all cells of one revision are known. Until then its last complete state remains: a new
/// configuration reaches the widgets one by one. If several revisions are complete, that with the newest cycle counts.
public struct BoardView: Sendable {
    private struct Record {
        /// The cells by their widgets: while a new configuration arrives, two widgets may be in the same place.
        var cellsByWidget: [WidgetID: [BoardState.Cell]] = [:]
        var complete: BoardState?
        /// A Boolean value that indicates whether the numbers of the complete state are those of an earlier epoch.
        var isOfEarlierEpoch = false

        var cells: [BoardState.Cell] { cellsByWidget.values.flatMap(\.self) }
        /// The lowest sequence number that the newest cell of the next state must have.
        ///
        /// A widget that has left the board does not count: its number may be higher than all others for a day.
        var floor: SequenceNumber {
            guard !isOfEarlierEpoch else { return .zero }
            return complete?.cells.filter { cellsByWidget[$0.widget] != nil }.map(\.sequence).max() ?? .zero
        }
    }

    /// The maximum number of boards without any cell whose last state is kept.
    public static let maximumAbandoned = Board.maximumBoards

    /// The sequence number of the latest update of each widget; of removed ones, too.
    private var sequences: [WidgetID: SequenceNumber] = [:]
    /// The boards that show each widget.
    private var boardsOfWidgets: [WidgetID: Set<BoardID>] = [:]
    private var boards: [BoardID: Record] = [:]

    public init() {}

    /// The last complete state of a board; nil if it was never complete.
    public subscript(id: BoardID) -> BoardState? { boards[id]?.complete }

    /// The boards with a cell or a complete state, in the order of their names.
    public var ids: [BoardID] { boards.keys.sorted() }

    /// The number of boards with a cell or a complete state.
    public var count: Int { boards.count }

    /// Returns whether a board is complete in the revision of its newest cell, so that ``subscript(_:)`` is its current
    /// state.
    public func isComplete(_ id: BoardID) -> Bool {
        guard let record = boards[id], let newest = record.cells.max(by: { $0.sequence < $1.sequence }) else {
            return false
        }
        return newest.place.revision == record.complete?.revision
            && record.cells.count { $0.place.revision == newest.place.revision } == newest.place.of
    }

    /// Takes the latest update of a widget, and returns the boards that look different now.
    ///
    /// `displays` are those of the update; empty for a removed widget. An update older than the known one is ignored.
    @discardableResult
    public mutating func take(
        _ widget: WidgetID,
        _ sequence: SequenceNumber,
        _ displays: [DisplayName: DisplayState]
    ) -> Set<BoardID> {
        if let known = sequences[widget], known > sequence { return [] }
        sequences[widget] = sequence
        let cells = displays.compactMap { name, state in
            state.board.map { place in
                BoardState.Cell(
                    place: place,
                    widget: widget,
                    display: name,
                    sequence: sequence,
                    digest: state.digest,
                    changed: state.changed,
                    nextChange: state.nextChange
                )
            }
        }
        let before = boardsOfWidgets[widget] ?? []
        let after = Set(cells.map(\.place.id))
        guard !before.isEmpty || !after.isEmpty else { return [] }
        boardsOfWidgets[widget] = after.isEmpty ? nil : after
        for id in before { boards[id]?.cellsByWidget[widget] = nil }
        for cell in cells { boards[cell.place.id, default: Record()].cellsByWidget[widget, default: []].append(cell) }
        forgetAbandoned()
        return before.union(after).filter { updateState(of: $0) }
    }

    /// Replaces the states of all widgets by those of another epoch, and returns the boards that look different now.
    ///
    /// The last complete state of a board remains until the board is complete again, even if its numbers are lower then.
    @discardableResult
    public mutating func replace(
        by updates: some Sequence<(WidgetID, SequenceNumber, [DisplayName: DisplayState])>
    ) -> Set<BoardID> {
        (sequences, boardsOfWidgets) = ([:], [:])
        for id in Array(boards.keys) {
            boards[id]?.cellsByWidget = [:]
            boards[id]?.isOfEarlierEpoch = true
        }
        let before = boards
        for (widget, sequence, displays) in updates { take(widget, sequence, displays) }
        return Set(boards.filter { $0.value.complete?.visibleText != before[$0.key]?.complete?.visibleText }.keys)
    }

    /// Updates the complete state of a board, and returns whether the board looks different now.
    private mutating func updateState(of id: BoardID) -> Bool {
        guard let record = boards[id] else { return false }
        let revisions = Dictionary(grouping: record.cells, by: \.place.revision)
        let states = revisions.values.compactMap { BoardState(id, $0) }.filter { $0.newest >= record.floor }
        guard let state = states.max(by: { ($0.newest, $0.revision) < ($1.newest, $1.revision) }) else { return false }
        boards[id]?.complete = state
        boards[id]?.isOfEarlierEpoch = false
        return record.complete?.visibleText != state.visibleText
    }

    /// Forgets the boards without cells if there are too many.
    private mutating func forgetAbandoned() {
        guard boards.count > Board.maximumBoards + Self.maximumAbandoned else { return }
        boards = boards.filter { !$0.value.cellsByWidget.isEmpty }
    }
}
