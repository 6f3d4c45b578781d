// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import MessageBus
import ServiceRuntime
import WidgetSchema

/// The widgets that the notifier knows, for suggestions.
enum KnownWidgets {
    /// A page has 1 MiB; whoever has more widgets than this many pages hold gets no better suggestion.
    static let maximumPages = 20

    /// As many as could be asked for, sorted.
    static func all(_ session: BusSession) -> [WidgetID] {
        var known: Set<WidgetID> = []
        var after: WidgetID?
        for _ in 0..<maximumPages {
            let request = SnapshotRequest<Update>(after: after)
            guard let page = try? session.ask(RequestTarget(.notifier), request) else { break }
            let ids = page.records.compactMap(\.widget)
            known.formUnion(ids)
            guard page.more, let last = ids.max() else { break }
            after = last
        }
        return known.sorted()
    }
}
