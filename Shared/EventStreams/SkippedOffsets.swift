// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The offsets that a replay has skipped and that a later record of the replay may cover.
///
/// The notifier stores a limited number of updates of each widget. A replay skips the offsets of older updates, and the
/// widget's oldest stored update covers their cycles. Updates of other widgets may come before that update; the event
/// ids of these other updates must stay below the first skipped offset. Otherwise, a reader could resume with a higher
/// id at another gateway that still stores the skipped updates, and would never receive them.
public struct SkippedOffsets: Sendable {
    /// The first skipped offset that a later record may cover; nil if no such offset is left.
    public private(set) var first: UInt64?

    public init() {}

    /// Sets `firstOffset` and `sentUpTo` of the updates on a replay's next page, and returns the updates.
    ///
    /// `position` is the offset after which the page begins. `isLast` is false if another page of the replay follows.
    public mutating func locate(_ updates: [StreamedUpdate], after position: UInt64, isLast: Bool) -> [StreamedUpdate] {
        let lastCovering = isLast ? updates.lastIndex(where: \.coversSkippedUpdates) ?? -1 : updates.count
        var located: [StreamedUpdate] = []
        located.reserveCapacity(updates.count)
        var previous = position
        for (index, update) in updates.enumerated() {
            var update = update
            if first == nil, update.offset > previous, update.offset - previous > 1 { first = previous + 1 }
            if update.coversSkippedUpdates, let first { update.firstOffset = min(first, update.offset) }
            if index >= lastCovering { first = nil }
            update.sentUpTo = first.map { $0 - 1 } ?? update.offset
            previous = update.offset
            located.append(update)
        }
        if isLast { first = nil }
        return located
    }
}

extension StreamedUpdate {
    /// A Boolean value that indicates whether the update may cover earlier updates that the notifier no longer stores.
    ///
    /// The notifier extends the range of such a record to begin at 1.
    fileprivate var coversSkippedUpdates: Bool { range.first == 1 }
}
