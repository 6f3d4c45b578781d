// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The "Refreshing…" state of widgets, which ends when the request of a button press is postponed.
extension CacheCore {
    /// Ends the "Refreshing…" state of the widgets whose next request goes to a host that has just been blocked.
    ///
    /// Widgets with a request in flight keep the state until its result arrives.
    mutating func endRefreshing(on host: String, now: Instant) -> [CacheAction] {
        endRefreshing(now: now) { core, source in core.host(of: source) == host }
    }

    /// Ends the "Refreshing…" state of the widgets of a source whose next request was postponed.
    mutating func endRefreshing(of source: SourceID, now: Instant) -> [CacheAction] {
        endRefreshing(now: now) { _, other in other == source }
    }

    private mutating func endRefreshing(
        now: Instant,
        of matches: (CacheCore, SourceID) -> Bool
    ) -> [CacheAction] {
        var actions: [CacheAction] = []
        for widget in refreshingWidgets.sorted() {
            guard state.widgets[widget]?.isRefreshing == true, let source = plan.widgets[widget]?.source.id else {
                refreshingWidgets.remove(widget)
                continue
            }
            guard state.leases[source] == nil, matches(self, source) else { continue }
            refreshingWidgets.remove(widget)
            actions += cycle(widget, CycleInput(cause: .interaction), now: now) { $0.isRefreshing = false }
        }
        return actions
    }
}
