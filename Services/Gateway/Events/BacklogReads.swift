// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
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

    /// The identity of a reader's requests to the notifier.
    ///
    /// The stream alone does not identify them: when it has ended, a new stream can have the same `ObjectIdentifier`,
    /// while a request for the former one is still in flight.
    struct ID: Hashable, Sendable {
        let stream: ObjectIdentifier
        fileprivate let number: UInt64
    }

    struct Read {
        let id: ID
        let reader: EventReader
        let readerRequest: EventHub.ReaderRequest
        /// The reader's position in the stream; all stored updates up to this position were sent to the reader.
        var position: StreamOffset
        var skipped = SkippedOffsets()
        /// A Boolean value that indicates whether the stream's first event, a ``StreamStart``, was sent.
        var isWelcomed = false
        var failures = 0
        fileprivate(set) var isInFlight = false
    }

    private var reads: [ObjectIdentifier: Read] = [:]
    private var queue: [ID] = []
    private var failed: [ID] = []
    private var inFlight = 0
    /// The number of readers that were added.
    private var added: UInt64 = 0

    var count: Int { reads.count }
    var readers: [EventReader] { reads.values.map(\.reader) }

    subscript(stream: ObjectIdentifier) -> Read? { reads[stream] }

    subscript(id: ID) -> Read? {
        get { reads[id.stream].flatMap { $0.id == id ? $0 : nil } }
        set { if reads[id.stream]?.id == id { reads[id.stream] = newValue } }
    }

    /// Adds a reader that resumes behind a position, and queues it for its first request to the notifier.
    mutating func add(_ reader: EventReader, _ readerRequest: EventHub.ReaderRequest, behind position: StreamOffset) {
        added += 1
        let id = ID(stream: ObjectIdentifier(reader.stream), number: added)
        reads[id.stream] = Read(id: id, reader: reader, readerRequest: readerRequest, position: position)
        enqueue(id)
    }

    /// Removes and returns the reader of a stream.
    mutating func remove(_ stream: ObjectIdentifier) -> EventReader? { reads.removeValue(forKey: stream)?.reader }

    /// Queues a reader for its next request to the notifier.
    mutating func enqueue(_ id: ID) { queue.append(id) }

    /// Returns the next reader in the queue, with the position after which its updates are requested.
    ///
    /// Marks the request as in flight. Returns nil if the queue is empty or too many requests are in flight.
    mutating func next() -> (id: ID, position: StreamOffset)? {
        while inFlight < Self.maximumReads, !queue.isEmpty {
            let id = queue.removeFirst()
            guard let read = self[id], !read.isInFlight else { continue }
            self[id]?.isInFlight = true
            inFlight += 1
            return (id, read.position)
        }
        return nil
    }

    /// Records that a reader's request is no longer in flight.
    mutating func answered(_ id: ID) {
        inFlight -= 1
        self[id]?.isInFlight = false
    }

    /// Marks a request as failed, so that the next call of the function `retry` queues it again.
    ///
    /// Returns false if too many consecutive requests of this reader have failed; the request is then not repeated.
    mutating func fail(_ id: ID) -> Bool {
        self[id]?.failures += 1
        guard let failures = self[id]?.failures, failures <= Self.maximumFailures else { return false }
        failed.append(id)
        return true
    }

    mutating func retry() {
        queue += failed
        failed = []
    }
}
