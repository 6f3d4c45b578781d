// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// A write that the cache performs in the transaction of a batch.
enum CacheWrite: Hashable, Sendable {
    case storeContent(ContentDigest, Data)
    // The large cases are indirect, so that an array of writes does not need their size for every element.
    /// Stores the state of a widget that changed without a new cycle.
    indirect case saveWidget(WidgetID, WidgetRecord)
    indirect case saveSource(SourceID, SourceRecord)
    case forgetSource(SourceID)
    indirect case saveLease(SourceID, LeaseRecord)
    case endLease(SourceID)
    indirect case saveHost(String, HostRecord)
    case forgetHost(String)
    /// Records that the cache has handled a restore of the store, so that the restore is not handled again.
    case forgetRestore
    indirect case saveCommand(CommandKey, CommandRecord)
    case forgetCommands(before: Instant)
    /// Changes the limits of the stored history.
    case limitHistory(HistoryLimits)
    /// Removes the oldest cycles of a source's widgets, so that the source's contents stay within their size limit.
    ///
    /// The limit is `HistoryLimits.contentBytes`. The array contains the ids of all widgets of the source. `added` is
    /// the size in bytes of the contents that this batch adds for the source.
    case trimContents(SourceID, [WidgetID], added: Int)
    /// Removes all cycles of these widgets from before an instant, except the newest cycle of each widget.
    case trimHistory(ArraySlice<WidgetID>, before: Instant)
    /// Stores a cycle in the history, and the state of its widget after it.
    indirect case keep(NewCycle, WidgetRecord)
}

/// A cycle with the bytes of its event, which are stored and published.
struct NewCycle: Hashable, Sendable {
    var widget: WidgetID
    var range: SequenceRange
    var event: Event<Refreshed>
    var bytes: Data

    /// The digest of the content that the cycle introduces; nil if it introduces none.
    var newContent: ContentDigest? {
        event.data.contentSequence == range.sequence ? event.data.content?.digest : nil
    }
}
