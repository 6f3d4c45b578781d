// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams

/// The latest updates, for readers that reconnect.
///
/// The offsets of the updates ascend. They have gaps if the notifier no longer stored some updates.
struct EventRing: Sendable {
    static let defaultMaximumCount = 10_000
    static let defaultMaximumBytes = 16 * 1024 * 1024

    private var updates: [RingUpdate] = []
    private var head = 0
    /// The number of bytes of JSON.
    private(set) var bytes = 0
    private let maximumCount: Int
    private let maximumBytes: Int
    /// The offset after which the stored updates begin; updates up to this offset are not stored.
    private var base: UInt64
    /// The offset of the newest update; equal to the initial `base` if no update was appended yet.
    private(set) var last: UInt64
    /// The ``StreamedUpdate/sentUpTo`` of the newest update; equal to the initial `base` if no update was appended yet.
    private(set) var sentUpTo: UInt64

    init(
        after base: UInt64 = 0,
        maximumCount: Int = defaultMaximumCount,
        maximumBytes: Int = defaultMaximumBytes
    ) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.base = base
        last = base
        sentUpTo = base
    }

    mutating func append(_ update: RingUpdate) {
        updates.append(update)
        bytes += update.json.count
        last = update.offset
        sentUpTo = update.sentUpTo
        while updates.count - head > maximumCount || bytes > maximumBytes, head < updates.count {
            bytes -= updates[head].json.count
            base = updates[head].offset
            head += 1
        }
        // The array is compacted seldom, so dropping the oldest update takes constant time on average.
        if head > 1024, head * 2 > updates.count {
            updates.removeFirst(head)
            head = 0
        }
    }

    /// Returns the stored updates after an offset.
    ///
    /// Returns nil if some of these updates are no longer stored, or if the offset is greater than that of the newest
    /// update.
    func after(offset: UInt64) -> ArraySlice<RingUpdate>? {
        guard offset >= base, offset <= last else { return nil }
        let stored = updates[head...]
        return stored[stored.partitionPoint { $0.offset > offset }...]
    }
}
