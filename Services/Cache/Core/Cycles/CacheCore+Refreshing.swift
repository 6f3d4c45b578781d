// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import WidgetSchema

/// The "Refreshing…" state of widgets that have no content yet and wait for a fetch.
///
/// A button press starts the state. The state ends when the fetch ends or is postponed.
extension CacheCore {
    /// Ends the "Refreshing…" state of the widgets whose source is on `host`, because the host has requested a pause.
    ///
    /// A widget whose source is being fetched keeps the state until the fetch ends.
    mutating func endRefreshing(on host: String, now: Instant) -> CacheStep {
        endRefreshing(now: now) { core, source in core.host(of: source) == host }
    }

    /// Ends the "Refreshing…" state of the widgets of a source, because the next fetch of the source was postponed.
    mutating func endRefreshing(of source: SourceID, now: Instant) -> CacheStep {
        endRefreshing(now: now) { _, other in other == source }
    }

    private mutating func endRefreshing(
        now: Instant,
        of matches: (CacheCore, SourceID) -> Bool
    ) -> CacheStep {
        var step = CacheStep()
        for widget in refreshingWidgets.sorted() {
            guard state.widgets[widget]?.isRefreshing == true, let source = plan.widgets[widget]?.source.id else {
                refreshingWidgets.remove(widget)
                continue
            }
            guard state.leases[source] == nil, matches(self, source) else { continue }
            refreshingWidgets.remove(widget)
            step += cycle(widget, CycleInput(cause: .interaction), now: now) { $0.isRefreshing = false }
        }
        return step
    }
}
