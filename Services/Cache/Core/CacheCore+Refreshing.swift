// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// Presses for which a request was scheduled, and which something else put off since.
extension CacheCore {
    /// Ends "Refreshing…" of widgets whose source was to be asked at a host that is now to be left alone.
    ///
    /// A request in flight answers its press whatever it brings.
    mutating func endRefreshing(on host: String, now: Instant) -> [CacheAction] {
        endRefreshing(now: now) { core, source in core.host(of: source) == host }
    }

    /// Ends "Refreshing…" of widgets whose source is asked later than it was to be.
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
            actions += cycle(widget, cause: .interaction, outcome: .fresh, now: now) { $0.isRefreshing = nil }
        }
        return actions
    }
}
