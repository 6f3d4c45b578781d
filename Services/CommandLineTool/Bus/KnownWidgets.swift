// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import Text
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

    /// Returns the failure of a command for an unknown widget; `problem` says what does not exist.
    static func missing(_ widget: WidgetID, _ problem: String, _ session: BusSession) -> CommandFailure {
        CommandFailure(.no, "\(problem) '\(widget)'" + suggestion(for: widget, among: all(session)))
    }

    private static let maximumNamesShown = 10

    /// Returns the end of an error message for an unknown widget: a similar widget id, or a list of ids.
    static func suggestion(for widget: WidgetID, among known: [WidgetID]) -> String {
        if known.isEmpty { return "; no widget has had an update yet" }
        let names = known.map(\.rawValue)
        let more = names.count > maximumNamesShown ? ", …" : ""
        let first = "; there are \(names.prefix(maximumNamesShown).joined(separator: ", "))\(more)"
        return EditDistance.hint(for: widget.rawValue, among: names, else: first)
    }
}
