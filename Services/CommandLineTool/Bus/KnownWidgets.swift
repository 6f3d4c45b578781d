// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import WidgetSchema

/// Functions that return the widgets for which the notifier has an update.
enum KnownWidgets {
    /// The maximum number of pages of updates to read for the suggestion of a widget id; a page has at most 1 MiB.
    static let maximumPages = 20

    /// Returns the last update of each widget, sorted by widget.
    ///
    /// Updates of removed widgets are included only if `removed` is true. Throws an error if the notifier does not
    /// answer.
    static func updates(
        _ session: BusSession,
        maximumPages: Int = .max,
        removed: Bool = false
    ) throws(CommandFailure) -> [Event<Update>] {
        var known: [WidgetID: Event<Update>] = [:]
        var after: WidgetID?
        for _ in 0..<maximumPages {
            let page = try session.ask(RequestTarget(.notifier), SnapshotRequest<Update>(after: after))
            for record in page.records {
                if let widget = record.widget { known[widget] = record }
            }
            let last = page.records.compactMap(\.widget).max()
            guard page.more, let last, after.map({ last > $0 }) ?? true else { break }
            after = last
        }
        return known.values.filter { removed || $0.data.reason != .removed }
            .sorted { ($0.subject ?? "") < ($1.subject ?? "") }
    }

    /// Returns the widget ids that can be suggested for a mistyped one; empty if the notifier does not answer.
    static func all(_ session: BusSession) -> [WidgetID] {
        ((try? updates(session, maximumPages: maximumPages)) ?? []).compactMap(\.widget)
    }
}
