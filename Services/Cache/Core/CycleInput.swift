// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The cause and the outcome of a new cycle, and the content that it introduces.
struct CycleInput {
    var cause: Cause
    var outcome: Outcome = .fresh
    /// The new content and its parsing; nil if the content stays the same.
    var content: SourceRecord.Held?
    var parsing: Parsing?
    /// The time at which the origin answered.
    var answered: Instant?
    /// A Boolean value that indicates whether the sequence numbers of the widget may have been used in another history,
    /// so that the cycle gets a number after all of them.
    var isRenumbered = false
}
