// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// An action of the cache after a commit; actions are performed in order.
enum CacheEffect: Hashable, Sendable {
    /// Publishes a cycle with its new content; if that is nil, the content is read from the store.
    indirect case publish(NewCycle, content: Data?)
    /// Publishes a kept cycle once more, with the same bytes and the content that it brings.
    case republish(WidgetID, SequenceNumber, content: ContentDigest?)
    case publishHeads([WidgetID: Head], at: Instant)
    indirect case answerLease(AskerToken, LeaseAnswer)
    indirect case answerCycle(AskerToken, CycleAnswer)
    indirect case answerError(AskerToken, RequestError)
    /// Nobody waits for this answer any longer.
    case forgetAsker(AskerToken)
    case answerReplay(AskerToken, from: [WidgetID: SequenceNumber])
    /// Answers with the last record of each of these widgets, whose ids ascend.
    case answerSnapshot(AskerToken, ArraySlice<WidgetID>)
    case count(CacheCounter)
    /// Reports that a source is fetched from another address than the configured one from now on.
    case reportLocation(configured: String, location: String)
    /// Reports that the origin of a source is permanently gone.
    case reportGone(String)
    /// Reports all silent sources; an empty list clears the report.
    case reportSilence([SilentSource])
    /// Reports all quarantined sources; an empty list clears the report.
    case reportQuarantine([QuarantinedSource])
    /// Reports that a consumer has seen numbers of this widget that were not assigned here.
    case reportBehind(WidgetID, askedFrom: SequenceNumber)
    /// The store was put back: all widgets go on with numbers that were never used.
    case reportRestore(widgets: Int)
    /// The wall clock was set by so many milliseconds.
    case reportClockChange(Int64)
    /// Reports a cycle whose event could not be encoded; the cycle was not made.
    case reportUnwritable(WidgetID, WireError)
}

/// The counters of the cache.
enum CacheCounter: String, CaseIterable, Sendable {
    case cycles
    case leases
    case outcomes
    /// Outcomes of a lease that was not the source's current one.
    case staleOutcomes
    case expiredLeases
    case returnedLeases
    case hostBlocks
    case commands
    case pushes
    /// Replays from beyond the next cycle: a store was restored.
    case replaysBeyondHead
    /// Starts from a restored store.
    case restores
    /// Requesters beyond the limit for one command.
    case refusedWaiters
}
