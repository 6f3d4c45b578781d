// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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

    func wants(_ update: StreamedUpdate) -> Bool {
        (shows(update) || (update.isRemoval && wants(update.widget)))
            && (results?.contains(update.event.data.result) ?? true) && isChangeWanted(update.event.data)
    }

    /// Returns whether a stream shows the state of the update's widget: the widget is wanted, and is on a wanted display.
    func shows(_ update: StreamedUpdate) -> Bool {
        wants(update.widget) && (displays.map { !$0.isDisjoint(with: update.event.data.displays.keys) } ?? true)
    }

    func wants(_ widget: WidgetID) -> Bool { widgets?.contains(widget) ?? true }

    private func isChangeWanted(_ update: Update) -> Bool {
        guard let displays, update.result == .newData, update.reason != .removed else { return true }
        return !displays.isDisjoint(with: update.changed)
    }
}
