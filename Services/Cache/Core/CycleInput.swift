// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The cause and the outcome of a new cycle, and the content that it introduces.
struct CycleInput {
    var cause: Cause
    var outcome: Outcome = .fresh
    /// The new content, which was made with `parsing`; nil if the content stays the same.
    var content: SourceRecord.StoredContent?
    var parsing: Parsing?
    /// The time at which the origin answered; nil if no fetch caused the cycle.
    var answered: Instant?
    /// The end of the pause of the host that kept a command from causing a fetch; nil if no pause did.
    var blockedUntil: Instant?
    /// A Boolean value that indicates whether the cycle must get a sequence number that cannot have been used before.
    ///
    /// This is true after the store was restored.
    var isRenumbered = false
}
