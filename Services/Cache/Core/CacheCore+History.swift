// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import WidgetSchema

/// The removal of old cycles.
extension CacheCore {
    /// The interval at which the history of each widget is checked for expired cycles.
    static let historySweepInterval: Duration = .seconds(3_600)
    /// The maximum number of widgets whose history is checked in one batch; such a batch takes some milliseconds.
    static let widgetsPerSweep = 128

    /// Removes the expired cycles of the next `widgetsPerSweep` widgets, in the order of their ids.
    mutating func sweepHistory(now: Instant) -> [CacheAction] {
        guard let due = nextHistorySweep, now >= due else { return [] }
        let turns = max(1, (state.widgets.count + Self.widgetsPerSweep - 1) / Self.widgetsPerSweep)
        nextHistorySweep = now.advanced(by: Self.historySweepInterval / turns)
        let widgets = index.widgets(after: sweptUpTo).prefix(Self.widgetsPerSweep)
        sweptUpTo = widgets.count < Self.widgetsPerSweep ? nil : widgets.last
        guard !widgets.isEmpty else { return [] }
        return [.trimHistory(widgets, before: now.advanced(by: .zero - limits.history.age))]
    }
}
