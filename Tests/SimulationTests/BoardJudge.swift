// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

@testable import Notifier

/// Judges the messages about a board: none repeats the one before, and the last one has the last state.
final class BoardJudge {
    static let board: BoardID = {
        guard let id = BoardID(rawValue: "kitchen") else { preconditionFailure("a valid name") }
        return id
    }()
    /// The widgets in the cells of the board, by their indices.
    private static let widgets = [0, 3]

    private unowned let simulation: Simulation
    /// The last message that arrived; nil before the first one.
    private var last: (message: String, digest: ContentDigest)?
    /// A Boolean value that indicates whether the next message may have the same state as the last one.
    ///
    /// It may after a restore, and after a message that did not arrive: the board may have changed back since.
    private var mayRepeat = false

    init(_ simulation: Simulation) { self.simulation = simulation }

    /// Returns the cell of a widget; nil if it has none.
    ///
    /// A board has a cell for each of its widgets that is in `configured`, and another revision for each set of them.
    static func cell(of widget: Int, among configured: Set<Int>) -> BoardCell? {
        let cells = widgets.filter { configured.contains($0) }
        guard let cell = cells.firstIndex(of: widget) else { return nil }
        return BoardCell(place: BoardPlace(id: board, revision: "\(cells)", cell: cell, of: cells.count))
    }

    func acceptsRepetition() { mayRepeat = true }

    func arrived(_ change: BoardChange, message: String) {
        if let last, !mayRepeat, last.message != message, last.digest == change.digest {
            simulation.oracle.report("two messages have the same state of a board", "\(last.message) and \(message)")
        }
        last = (message, change.digest)
        mayRepeat = false
    }

    /// Expects the state that the last updates describe, if they describe all cells.
    func judgeTheEnd() {
        var view = BoardView()
        for (widget, updates) in simulation.notifierStore.tables.updates.sorted(by: { $0.key < $1.key }) {
            guard let stored = updates.last, let event = simulation.update(stored.event) else { continue }
            view.take(widget, stored.range.sequence, event.data.displays)
        }
        guard view.isComplete(Self.board), let state = view[Self.board],
            last?.digest.rawValue != SHA256.hexDigest(of: state.visibleText)
        else { return }
        let cells = state.cells.map { "\($0.widget) \($0.sequence)" }.joined(separator: ", ")
        simulation.oracle.report("a destination has not the last state of a board", "\(last?.message ?? "-"): \(cells)")
    }
}

extension SimulatedWorld {
    /// Returns the displays of a widget: the current ones, or those with these names.
    ///
    /// With delivery, its panel may be a cell of the board.
    func shownDisplays(of widget: Int, named names: [String]? = nil) -> [Display] {
        (names ?? displays).map { name in
            var display = Self.display(name)
            if simulation.settings.hasDelivery {
                display.panel?.cell = BoardJudge.cell(of: widget, among: widgets)
            }
            return display
        }
    }
}
