// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WebServer

/// The last updates, for readers that come back.
struct EventRing: Sendable {
    static let defaultMaximumCount = 10_000
    static let defaultMaximumBytes = 16 * 1024 * 1024

    private var updates: [(update: StreamedUpdate, chunk: WebChunk)] = []
    private var head = 0
    private var bytes = 0
    private let maximumCount: Int
    private let maximumBytes: Int
    /// The offset of the last update; 0 before the first.
    private(set) var last: UInt64 = 0

    init(maximumCount: Int = defaultMaximumCount, maximumBytes: Int = defaultMaximumBytes) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    mutating func append(_ update: StreamedUpdate, _ chunk: WebChunk) {
        updates.append((update, chunk))
        bytes += chunk.count
        last = update.offset
        while updates.count - head > maximumCount || bytes > maximumBytes, head < updates.count {
            bytes -= updates[head].chunk.count
            head += 1
        }
        // Moves the rest seldom, so that dropping the oldest costs nothing on average.
        if head > 1024, head * 2 > updates.count {
            updates.removeFirst(head)
            head = 0
        }
    }

    /// The updates behind an offset; nil if some of them are no longer kept, or the offset was never reached.
    func after(_ offset: UInt64) -> ArraySlice<(update: StreamedUpdate, chunk: WebChunk)>? {
        guard offset <= last else { return nil }
        if offset == last { return [] }
        guard head < updates.count, updates[head].update.offset <= offset + 1 else { return nil }
        let skipped = Int(offset + 1 - updates[head].update.offset)
        return updates[(head + skipped)...]
    }
}
