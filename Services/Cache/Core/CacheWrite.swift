// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A write of the cache; all writes of a batch are one transaction.
enum CacheWrite: Hashable, Sendable {
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
    /// Sets the limits of the history.
    case limitHistory(HistoryLimits)
    /// Drops the oldest cycles of these widgets, which share a source, while their contents are too much; so many bytes
    /// were added.
    case trimContents(SourceID, [WidgetID], added: Int)
    /// Drops what these widgets have that is older, except their newest cycle.
    case trimHistory(ArraySlice<WidgetID>, before: Instant)
    /// Keeps a cycle in the history.
    indirect case keep(NewCycle)
}

/// A cycle with the bytes of its event, which are stored and published.
struct NewCycle: Hashable, Sendable {
    var widget: WidgetID
    var range: SequenceRange
    var event: Event<Refreshed>
    var bytes: Data

    /// The content that the cycle brings; nil if it brings none.
    var newContent: ContentDigest? {
        event.data.contentSequence == range.sequence ? event.data.content?.digest : nil
    }
}
