// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The progress of the check for expired cycles.
struct HistorySweep: Sendable {
    /// The time of the next check; nil before the start.
    ///
    /// Each check covers `widgetsPerSweep` widgets, beginning after the widget `upTo`.
    var next: Instant?
    var upTo: WidgetID?
}
