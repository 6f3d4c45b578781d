// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// The cause and the outcome of a new cycle, and the content that it introduces.
struct CycleInput {
    var cause: Cause
    var outcome: Outcome = .fresh
    /// The new content, which was made with `parsing`; nil if the content stays the same.
    var content: SourceRecord.StoredContent?
    var parsing: Parsing?
    /// The bytes of the new content; nil if they have to be read from the store.
    var bytes: Data?
    /// The time at which the origin answered; nil if no fetch caused the cycle.
    var answered: Instant?
    /// The end of the pause of the host that kept a command from causing a fetch; nil if no pause did.
    var blockedUntil: Instant?
    /// A sequence number that the cycle's number must exceed, and the number is also at least the time; nil if the cycle
    /// gets the next number.
    ///
    /// It is zero after the store was restored, because the numbers since the backup are unknown.
    var above: SequenceNumber?
}
