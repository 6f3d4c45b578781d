// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The start of a late client: it subscribes, requests a snapshot, and drops live messages that are not newer.
///
/// Live messages that arrive before the snapshot is complete are held. Then each is handled with the positions of the
/// snapshot: what the snapshot holds already falls as a duplicate, what does not follow on is a gap.
public struct SnapshotJoin<Message: Sendable>: Sendable {
    /// The maximum number of live messages that are held.
    ///
    /// Beyond it the oldest are dropped, and the gap is requested later.
    public static var defaultCapacity: Int { 10_000 }

    public let capacity: Int
    /// The number of messages that were dropped because the capacity was reached.
    public private(set) var dropped = 0
    private var held: [Message] = []
    private var oldest = 0

    public init(capacity: Int = defaultCapacity) {
        precondition(capacity > 0, "a join holds at least one message")
        self.capacity = capacity
    }

    /// Holds a live message.
    public mutating func hold(_ message: Message) {
        if held.count < capacity {
            held.append(message)
        } else {
            held[oldest] = message
            oldest = (oldest + 1) % capacity
            dropped += 1
        }
    }

    /// Ends the join: the messages held, in the order in which they came.
    public consuming func complete() -> [Message] {
        Array(held[oldest...] + held[..<oldest])
    }
}
