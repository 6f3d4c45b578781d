// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import WidgetSchema

/// The removal of old cycles.
extension CacheCore {
    /// The interval at which the history of each widget is checked for expired cycles.
    static let historySweepInterval: Duration = .seconds(3_600)
    /// The maximum number of widgets whose history is checked in one batch; such a batch takes some milliseconds.
    static let widgetsPerSweep = 128

    /// Removes the expired cycles of the next `widgetsPerSweep` widgets, in the order of their ids.
    mutating func sweepHistory(now: Instant) -> CacheStep {
        guard let due = sweep.next, now >= due else { return CacheStep() }
        let turns = max(1, (state.widgets.count + Self.widgetsPerSweep - 1) / Self.widgetsPerSweep)
        sweep.next = now.advanced(by: Self.historySweepInterval / turns)
        let widgets = index.widgets(after: sweep.upTo).prefix(Self.widgetsPerSweep)
        sweep.upTo = widgets.count < Self.widgetsPerSweep ? nil : widgets.last
        guard !widgets.isEmpty else { return CacheStep() }
        return CacheStep(writes: [.trimHistory(widgets, before: now.advanced(by: .zero - limits.history.age))])
    }
}
