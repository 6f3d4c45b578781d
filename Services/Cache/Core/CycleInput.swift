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
    /// A Boolean value that indicates whether the store was restored, so that the cycle must get a number after all
    /// numbers that may have been used before the restore.
    var isRenumbered = false
}
