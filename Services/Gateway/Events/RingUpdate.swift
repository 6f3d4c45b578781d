// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import WidgetSchema

/// An update in the form in which ``EventRing`` stores it: its JSON, and what filters compare.
///
/// The decoded event would take several times the memory of its JSON.
struct RingUpdate: FilteredUpdate {
    let widget: WidgetID
    let result: UpdateResult
    let isRemoval: Bool
    let json: Data
    /// The offsets of the same names of ``StreamedUpdate``.
    let offset: UInt64
    let sentUpTo: UInt64
    private let displays: [DisplayName]
    private let changed: [DisplayName]
    private let boards: Set<BoardID>
    /// The boards that look different since the update; nil if it may be any.
    private let changedBoards: Set<BoardID>?

    /// Creates the form of an update.
    ///
    /// `changedBoards` are the boards that look different since it; nil if this is unknown, and then all boards of the
    /// widget count, or all boards if it was removed.
    init(_ update: StreamedUpdate, changedBoards: Set<BoardID>? = nil) {
        widget = update.widget
        result = update.result
        isRemoval = update.isRemoval
        json = update.json
        offset = update.offset
        sentUpTo = update.sentUpTo
        displays = Array(update.event.data.displays.keys)
        changed = update.event.data.changed
        boards = update.boards
        self.changedBoards = changedBoards ?? (update.isRemoval ? nil : boards)
    }

    func isShown(on displays: Set<DisplayName>) -> Bool { !displays.isDisjoint(with: self.displays) }

    func isChanged(on displays: Set<DisplayName>) -> Bool { !displays.isDisjoint(with: changed) }

    func isShown(on boards: Set<BoardID>) -> Bool { !boards.isDisjoint(with: self.boards) }

    func isChanged(on boards: Set<BoardID>) -> Bool { changedBoards.map { !boards.isDisjoint(with: $0) } ?? true }
}
