// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// What the cache's core wants done: all of a batch's writes in one transaction, then the rest in order.
enum CacheAction: Hashable, Sendable {
    // Writes.
    case storeContent(ContentDigest, Data)
    // The large ones are held elsewhere, so that an array of all kinds takes no more than it needs to.
    indirect case saveWidget(WidgetID, WidgetRecord)
    indirect case saveSource(SourceID, SourceRecord)
    case forgetSource(SourceID)
    indirect case saveLease(SourceID, LeaseRecord)
    case endLease(SourceID)
    indirect case saveHost(String, HostRecord)
    case forgetHost(String)
    /// The store's mark that it was restored has done its work.
    case forgetRestore
    indirect case saveCommand(CommandKey, CommandRecord)
    case forgetCommands(before: Instant)
    /// Drops the oldest cycles of these widgets, which share a source, while their contents are too much; so many bytes
    /// were added.
    case trimContents(SourceID, [WidgetID], added: Int)
    /// Drops what these widgets have that is older, except their newest cycle.
    case trimHistory(ArraySlice<WidgetID>, before: Instant)
    /// Keeps the cycle in the history; after the commit it is published, with its content where that is new.
    indirect case cycle(Event<Refreshed>)

    // What follows the commit.
    /// Publishes a kept cycle once more, with the same bytes.
    case republish(WidgetID, SequenceNumber)
    case publishHeads([WidgetID: Head])
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
    /// All sources that are silent; none any more where it is empty.
    case reportSilence([SilentSource])
    /// All sources of which several leases in a row ran out; empty when there is none any more.
    case reportQuarantine([QuarantinedSource])
    /// Somebody has seen numbers of this widget that were not given out here.
    case reportBehind(WidgetID, askedFrom: SequenceNumber)
}

/// What the cache counts.
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

extension CacheAction {
    /// Whether it belongs into the batch's transaction.
    var isWrite: Bool {
        switch self {
        case .storeContent, .saveWidget, .saveSource, .forgetSource, .saveLease, .endLease, .saveHost, .forgetHost,
            .forgetRestore, .saveCommand, .forgetCommands, .trimContents, .trimHistory, .cycle:
            true
        case .republish, .publishHeads, .answerLease, .answerCycle, .answerError, .forgetAsker, .answerReplay,
            .answerSnapshot, .count, .reportLocation, .reportGone, .reportSilence, .reportQuarantine,
            .reportBehind:
            false
        }
    }
}
