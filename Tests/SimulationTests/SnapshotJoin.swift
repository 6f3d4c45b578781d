// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The live messages that a new client holds until its snapshot is complete.
///
/// The client subscribes, requests a snapshot, and holds live messages that arrive before the snapshot is complete.
/// Then the client compares each held message with the sequence numbers in the snapshot: a message that the snapshot
/// already includes is a duplicate, and a message that does not directly follow the snapshot shows a gap.
struct SnapshotJoin<Message: Sendable>: Sendable {
    /// The default of ``capacity``, the maximum number of held messages.
    ///
    /// If more messages arrive, the oldest is dropped. This leaves a gap, which the client closes like any other gap.
    static var defaultCapacity: Int { 10_000 }

    let capacity: Int
    /// The number of messages that were dropped because the capacity was reached.
    private(set) var dropped = 0
    private var held: [Message] = []
    private var oldest = 0

    init(capacity: Int = defaultCapacity) {
        precondition(capacity > 0, "the maximum number of held messages must be at least 1")
        self.capacity = capacity
    }

    /// Holds a live message until the snapshot is complete; if the capacity is reached, the oldest held message is
    /// dropped.
    mutating func hold(_ message: Message) {
        if held.count < capacity {
            held.append(message)
        } else {
            held[oldest] = message
            oldest = (oldest + 1) % capacity
            dropped += 1
        }
    }

    /// Ends the join and returns the held messages in the order of their arrival.
    consuming func complete() -> [Message] {
        Array(held[oldest...] + held[..<oldest])
    }
}
