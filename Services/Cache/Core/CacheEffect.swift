// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// An effect of the cache after a commit.
enum CacheEffect: Hashable, Sendable {
    /// Publishes a cycle with the content that it brings; if that is nil, it is read from the store.
    indirect case publish(NewCycle, content: Data?)
    /// Publishes a kept cycle once more, with the same bytes and the content that it brings.
    case republish(WidgetID, SequenceNumber, content: ContentDigest?)
    case publishHeads([WidgetID: Head], at: Instant)
    indirect case answerLease(AskerToken, LeaseAnswer)
    indirect case answerCycle(AskerToken, CycleAnswer)
    indirect case answerError(AskerToken, RequestError)
    /// Nobody waits for this answer any more.
    case forgetAsker(AskerToken)
    case answerReplay(AskerToken, from: [WidgetID: SequenceNumber])
    /// The last record of each of these widgets, whose ids ascend.
    case answerSnapshot(AskerToken, ArraySlice<WidgetID>)
    case count(CacheCounter)
    /// From now on another address is asked than the configured one.
    case reportLocation(configured: String, location: String)
    /// The origin of a source says that it is gone for good.
    case reportGone(String)
    /// All sources that are silent; none any more if it is empty.
    case reportSilence([SilentSource])
    /// Reports all sources whose last leases expired one after the other; an empty list clears the report.
    case reportQuarantine([QuarantinedSource])
    /// Somebody has seen numbers of this widget that were not given out here.
    case reportBehind(WidgetID, askedFrom: SequenceNumber)
    /// The store was put back: all widgets go on with numbers that were never used.
    case reportRestore(widgets: Int)
    /// The wall clock was set by so many milliseconds.
    case reportClockChange(Int64)
    /// A cycle's event could not be encoded, so the cycle was not made.
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
    /// Replays asked for beyond the next cycle: somebody was restored.
    case replaysBeyondHead
    /// Starts from a restored store.
    case restores
    /// Askers beyond the limit for one command.
    case refusedWaiters
}
