// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The live messages that a new client holds until its snapshot is complete.
///
/// The client subscribes, requests a snapshot, and holds live messages that arrive before the snapshot is complete.
/// Then it handles each held message with the positions of the snapshot: a message that the snapshot includes is a
/// duplicate, and one that does not follow directly is a gap.
public struct SnapshotJoin<Message: Sendable>: Sendable {
    /// The default of ``capacity``, the maximum number of held messages.
    ///
    /// If more messages arrive, the oldest is dropped. This leaves a gap, which the client closes like any other gap.
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

    /// Ends the join and returns the held messages in the order of their arrival.
    public consuming func complete() -> [Message] {
        Array(held[oldest...] + held[..<oldest])
    }
}
