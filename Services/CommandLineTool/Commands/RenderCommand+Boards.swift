// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Configuration
import Foundation
import MessageBus
import Text
import WidgetSchema

/// `tidings render --board`: draws a board from the layouts of its cells.
extension RenderCommand {
    /// The number of times that a board is started again because a cell changed while its layouts were requested.
    private static let maximumAttempts = 5

    /// Returns the picture of a board of the configuration.
    static func picture(
        ofBoard name: String,
        _ format: RenderFormat,
        of configuration: TidingsConfiguration,
        _ session: BusSession
    ) throws -> Data {
        guard let id = BoardID(rawValue: name), let board = configuration.board(id) else {
            let known = configuration.boards.map(\.id.rawValue)
            throw CommandFailure(
                .no,
                known.isEmpty
                    ? "the configuration has no boards; name its file with --config"
                    : "there is no board '\(name)'\(EditDistance.hint(for: name, among: known))"
            )
        }
        guard board.hasWidgets else {
            throw CommandFailure(.no, "none of the widgets of board '\(id)' exists; 'tidings check' lists them")
        }
        for _ in 0..<maximumAttempts {
            let state = try state(of: board, session)
            guard let cells = try layouts(of: state, session) else { continue }
            let request = BoardRequest(
                board: board,
                cells: cells,
                lastChange: state.hasHeader ? state.lastChange : nil,
                format: format
            )
            let (answer, contents) = try session.askForContents(RequestTarget(.layout), request, within: timeout)
            guard let picture = contents.first, picture.count == answer.picture.bytes else {
                throw CommandFailure(
                    .no,
                    "the layout service's answer has no picture; the service may be of an earlier version"
                )
            }
            return picture
        }
        throw CommandFailure(.no, "the cells of board '\(id)' change faster than they are drawn; repeat the command")
    }

    /// Returns the latest state of a board; throws if it is not complete in the revision of the configuration.
    private static func state(of board: Board, _ session: BusSession) throws -> BoardState {
        let widgets = Set(board.cells.filter(\.exists).map(\.widget)).sorted()
        let page = try session.ask(RequestTarget(.notifier), SnapshotRequest<Update>(widgets: widgets))
        var view = BoardView()
        for event in page.records {
            guard let widget = event.widget, let range = event.range else { continue }
            view.take(widget, range.sequence, event.data.displays)
        }
        guard let state = view[board.id], state.revision == board.revision else {
            throw CommandFailure(
                .no,
                "board '\(board.id)' is not complete: not all of its widgets have had an update since its configuration "
                    + "changed; repeat the command in a second"
            )
        }
        return state
    }

    /// Returns the layouts of all cells; nil if one was answered with another cycle than that of the state.
    private static func layouts(of state: BoardState, _ session: BusSession) throws -> [BoardRequest.Cell]? {
        var cells: [BoardRequest.Cell] = []
        for cell in state.cells {
            let request = RenderRequest(widget: cell.widget, display: cell.display, sequence: cell.sequence)
            let answer = try session.ask(RequestTarget(.layout), request, within: timeout)
            guard answer.sequence == cell.sequence, let layout = answer.layout else { return nil }
            cells.append(BoardRequest.Cell(cell: cell.place.cell, layout: layout))
        }
        return cells
    }
}
