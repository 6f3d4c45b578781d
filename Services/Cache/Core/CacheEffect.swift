// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// An effect that the cache performs after a commit; effects are performed in order.
enum CacheEffect: Hashable, Sendable {
    /// Publishes a new cycle, together with its new content if `NewCycle.newContent` is not nil.
    ///
    /// `content` has the bytes of the new content. If `content` is nil, these bytes are read from the store.
    indirect case publish(NewCycle, content: Data?)
    /// Publishes the stored cycle with this sequence number once more, with the same bytes.
    ///
    /// `content` is the digest of the content that the cycle introduced; nil if the cycle introduced none.
    case republish(WidgetID, SequenceNumber, content: ContentDigest?)
    case publishHeads([WidgetID: Head], at: Instant)
    case publishSchedule(SourceSchedule, at: Instant)
    indirect case answerLease(RequesterID, LeaseAnswer)
    indirect case answerCycle(RequesterID, CycleAnswer)
    indirect case answerConfirm(RequesterID, ConfirmAnswer)
    indirect case answerShown(RequesterID, ShownAnswer)
    indirect case answerError(RequesterID, RequestError)
    /// Drops a requester whose answer is no longer needed.
    case forgetRequester(RequesterID)
    case answerReplay(RequesterID, from: [WidgetID: SequenceNumber])
    /// Answers a snapshot request with the newest cycle of each of these widgets.
    ///
    /// The ids are in ascending order.
    case answerSnapshot(RequesterID, ArraySlice<WidgetID>)
    case count(CacheCounter)
    /// Reports that all file sources are due, so a change of a file that was refused before this core is not missed.
    case filesScheduled
    /// Reports that a source is now fetched from another address, or from the configured one if `location` is nil.
    case reportLocation(configured: String, location: String?)
    /// Reports that a source is permanently gone; `url` is its configured URL.
    case reportGone(url: String)
    /// Reports all sources that have not changed for much longer than usual; an empty list clears the report.
    case reportSilence([SilentSource])
    /// Reports all sources whose last two or more leases expired without an outcome; an empty list clears the report.
    case reportQuarantine([QuarantinedSource])
    /// Reports that the store was restored, and that each widget got a new cycle.
    ///
    /// The sequence numbers of the new cycles cannot have been used before. `widgets` is the number of widgets in the
    /// store.
    case reportRestore(widgets: Int)
    /// Reports that the wall clock was set forward by this number of milliseconds, or back if the number is negative.
    case reportClockChange(Int64)
    /// Reports that a cycle was not made, because its event could not be encoded.
    case reportUnwritable(WidgetID, WireError)

    /// Publishes the last cycle of a widget once more.
    static func republishLast(of widget: WidgetID, _ record: WidgetRecord) -> CacheEffect {
        .republish(widget, record.head, content: record.newContent)
    }
}

/// The counters of the cache.
enum CacheCounter: String, CaseIterable, Sendable {
    case cycles
    case leases
    case outcomes
    /// The number of ignored fetch outcomes: the lease had already ended, or no widget used the source any more.
    case staleOutcomes
    case expiredLeases
    case returnedLeases
    case hostBlocks
    case commands
    case pushes
    /// The number of widgets that got a new cycle because the notifier had handled a cycle that the store does not have.
    case raisedWidgets
    /// The number of times that a restored store was loaded.
    case restores
    /// The number of requesters that were rejected because too many were waiting for the same command.
    case rejectedWaiters = "refusedWaiters"
}
