// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The readers that must receive older updates before they receive live ones.
///
/// Only the notifier still stores the older updates. The requests to the notifier wait in a queue. Used only on the
/// thread of ``EventHub``.
struct BacklogReads {
    /// The maximum number of concurrent requests to the notifier.
    static let maximumReads = 16
    /// The maximum number of consecutive failed requests to the notifier for one reader.
    ///
    /// A failed request is repeated about a second later. If the number of consecutive failures exceeds this maximum,
    /// the reader's stream ends.
    static let maximumFailures = 30

    struct Read {
        let reader: EventReader
        let readerRequest: EventHub.ReaderRequest
        /// The reader's position in the stream; all stored updates up to this position were sent to the reader.
        var position: StreamOffset
        var skipped = SkippedOffsets()
        /// A Boolean value that indicates whether the stream's first event, a ``StreamStart``, was sent.
        var isWelcomed = false
        var failures = 0
        var isInFlight = false
    }

    private var reads: [ObjectIdentifier: Read] = [:]
    private var queue: [ObjectIdentifier] = []
    private var failed: [ObjectIdentifier] = []
    private var inFlight = 0

    var count: Int { reads.count }
    var readers: [EventReader] { reads.values.map(\.reader) }

    subscript(id: ObjectIdentifier) -> Read? {
        get { reads[id] }
        set { reads[id] = newValue }
    }

    /// Queues a reader for its next request to the notifier.
    mutating func enqueue(_ id: ObjectIdentifier) { queue.append(id) }

    /// Returns the next reader in the queue, with the position after which its updates are requested.
    ///
    /// Marks the request as in flight. Returns nil if the queue is empty or too many requests are in flight.
    mutating func next() -> (id: ObjectIdentifier, position: StreamOffset)? {
        while inFlight < Self.maximumReads, !queue.isEmpty {
            let id = queue.removeFirst()
            guard let read = reads[id], !read.isInFlight else { continue }
            reads[id]?.isInFlight = true
            inFlight += 1
            return (id, read.position)
        }
        return nil
    }

    /// Records that a reader's request is no longer in flight.
    mutating func answered(_ id: ObjectIdentifier) {
        inFlight -= 1
        reads[id]?.isInFlight = false
    }

    /// Marks a request as failed, so that the next call of the function `retry` queues it again.
    ///
    /// Returns false if too many consecutive requests of this reader have failed; the request is then not repeated.
    mutating func fail(_ id: ObjectIdentifier) -> Bool {
        reads[id]?.failures += 1
        guard let failures = reads[id]?.failures, failures <= Self.maximumFailures else { return false }
        failed.append(id)
        return true
    }

    mutating func retry() {
        queue += failed
        failed = []
    }
}
