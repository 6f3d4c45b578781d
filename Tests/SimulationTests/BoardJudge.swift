// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

@testable import Delivery
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
    private var last: (message: String, change: BoardChange)?
    /// A Boolean value that indicates whether delivery's store was put back since the last message.
    private var isPutBack = false
    /// A Boolean value that indicates whether delivery has begun to follow another epoch since the last message.
    private var hasNewEpoch = false
    /// A Boolean value that indicates whether an attempt with another state than the last message has certainly failed since.
    private var hasFailed = false

    init(_ simulation: Simulation) { self.simulation = simulation }

    /// Returns the cell of a widget; nil if it has none.
    ///
    /// A board has a cell for each of its widgets that is in `configured`, and another revision for each set of them.
    static func cell(of widget: Int, among configured: Set<Int>) -> BoardCell? {
        let cells = widgets.filter { configured.contains($0) }
        guard let cell = cells.firstIndex(of: widget) else { return nil }
        return BoardCell(place: BoardPlace(id: board, revision: "\(cells)", cell: cell, of: cells.count))
    }

    /// Returns the state of a board that a message has; nil if it has none.
    static func change(in attempt: DeliveryAttempt) -> BoardChange? {
        (try? WireJSON.decode(Event<BoardChange>.self, from: attempt.body))?.data
    }

    func storeIsPutBack() { isPutBack = true }

    func beginsEpoch() { hasNewEpoch = true }

    /// Takes an attempt that has certainly failed.
    func failed(_ attempt: DeliveryAttempt) {
        guard let change = Self.change(in: attempt), change.digest != last?.change.digest else { return }
        hasFailed = true
    }

    func arrived(_ change: BoardChange, message: String) {
        if let last, last.message != message, last.change.digest == change.digest, !mayRepeat(last.change, change) {
            simulation.oracle.report("two messages have the same state of a board", "\(last.message) and \(message)")
        }
        last = (message, change)
        (isPutBack, hasNewEpoch, hasFailed) = (false, false, false)
    }

    /// Returns whether a message may follow another one that looks the same.
    private func mayRepeat(_ earlier: BoardChange, _ change: BoardChange) -> Bool {
        // Delivery does not know what has arrived since the backup of its store.
        if isPutBack { return true }
        // The board has changed back, and the newer state is sent in place of the one that failed. The numbers of another
        // epoch do not tell which state is newer.
        guard hasFailed else { return false }
        return hasNewEpoch || zip(change.cells, earlier.cells).contains { $0.sequence > $1.sequence }
    }

    /// Expects the state that the last updates describe, if they describe all cells.
    func judgeTheEnd() {
        var view = BoardView()
        for (widget, updates) in simulation.notifierStore.tables.updates.sorted(by: { $0.key < $1.key }) {
            guard let stored = updates.last, let event = simulation.update(stored.event) else { continue }
            view.take(widget, stored.range.sequence, event.data.displays)
        }
        guard view.isComplete(Self.board), let state = view[Self.board],
            last?.change.digest.rawValue != SHA256.hexDigest(of: state.visibleText)
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
