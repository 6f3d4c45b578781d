// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The filter of a reader, which determines the updates that the reader receives.
struct EventFilter: Sendable, Hashable {
    /// The requested widgets; nil for all.
    var widgets: Set<WidgetID>?
    /// The requested results; nil for all.
    var results: Set<UpdateResult>?
    /// The requested displays; nil for all.
    ///
    /// An update matches if the widget is shown on one of these displays. If the update has the result
    /// `newData`, one of these displays must also have changed. The removal of a widget always matches.
    var displays: Set<DisplayName>?
    /// The requested boards; nil for all.
    ///
    /// An update matches if one of these boards looks different since it.
    var boards: Set<BoardID>?

    func wants(_ update: some FilteredUpdate) -> Bool {
        if let boards, !update.isChanged(on: boards) { return false }
        // A widget that has just left a board is no longer shown on it.
        return wants(update.widget) && (isOnDisplays(update) || update.isRemoval)
            && (results?.contains(update.result) ?? true)
            && isChangeWanted(update)
    }

    /// Returns whether a stream shows the state of the update's widget: the widget is wanted, and is on a wanted display.
    func shows(_ update: some FilteredUpdate) -> Bool {
        wants(update.widget) && isOnDisplays(update) && (boards.map { update.isShown(on: $0) } ?? true)
    }

    private func isOnDisplays(_ update: some FilteredUpdate) -> Bool {
        displays.map { update.isShown(on: $0) } ?? true
    }

    func wants(_ widget: WidgetID) -> Bool { widgets?.contains(widget) ?? true }

    private func isChangeWanted(_ update: some FilteredUpdate) -> Bool {
        guard let displays, update.result == .newData, !update.isRemoval else { return true }
        return update.isChanged(on: displays)
    }
}

/// An update, as far as filters compare it.
protocol FilteredUpdate: Sendable {
    var widget: WidgetID { get }
    var result: UpdateResult { get }
    /// A Boolean value that indicates whether the widget no longer exists.
    var isRemoval: Bool { get }

    /// Returns whether the widget is shown on one of these displays.
    func isShown(on displays: Set<DisplayName>) -> Bool

    /// Returns whether one of these displays has changed.
    func isChanged(on displays: Set<DisplayName>) -> Bool

    /// Returns whether the widget is shown on one of these boards.
    func isShown(on boards: Set<BoardID>) -> Bool

    /// Returns whether one of these boards looks different since the update, or may look different.
    func isChanged(on boards: Set<BoardID>) -> Bool
}

extension StreamedUpdate: FilteredUpdate {
    var result: UpdateResult { event.data.result }

    func isShown(on displays: Set<DisplayName>) -> Bool { !displays.isDisjoint(with: event.data.displays.keys) }

    func isChanged(on displays: Set<DisplayName>) -> Bool { !displays.isDisjoint(with: event.data.changed) }

    func isShown(on boards: Set<BoardID>) -> Bool { !boards.isDisjoint(with: self.boards) }

    /// Returns whether a board shows the widget, or may have: an update alone does not tell what its boards looked like before.
    func isChanged(on boards: Set<BoardID>) -> Bool { isRemoval || isShown(on: boards) }

    /// The boards on which the widget is shown.
    var boards: Set<BoardID> { Set(event.data.displays.values.compactMap(\.board?.id)) }
}
