// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The filter for messages that arrive on two buses: the first copy of a message is delivered, and the second is
/// dropped.
///
/// Messages are compared by a hash of their bytes. For each delivered message, one message with the same hash from the
/// other bus is dropped. A second copy from the same bus is delivered, because its publisher sent the message twice.
/// Messages that arrive on one bus only are delivered too.
///
/// `MessageMerger` is a value type and reads no clock: the caller passes the time.
package struct MessageMerger: Sendable {
    /// The minimum time for which a delivered message is remembered, so that its second copy is recognised.
    ///
    /// The time is shorter if a table becomes full; see ``maximumMessages``. A longer time is not necessary: a bus that
    /// delays messages for longer than this has lost the connections to its clients.
    package static let memory = Duration.seconds(60)
    /// The maximum number of hashes in each of the tables `current` and `previous`.
    ///
    /// When `current` is full, its entries replace those of `previous`, and `current` becomes empty.
    package static let maximumMessages = 65_536

    /// The delivered messages from one bus that have the same hash and whose copies have not arrived on the other bus.
    private struct Delivered: Sendable {
        let bus: Int
        var count: Int
    }

    private var current: [Int: Delivered] = [:]
    private var previous: [Int: Delivered] = [:]
    private var begunAt: ContinuousClock.Instant?

    package init() {}

    /// The number of hashes in the tables `current` and `previous`.
    ///
    /// Each hash is that of one or more delivered messages whose second copies have not arrived. Messages with the same
    /// hash count as one.
    package var count: Int { current.count + previous.count }

    /// Returns false if the message is the second copy of a delivered message; otherwise, records it and returns true.
    ///
    /// `hash` is the hash of the message, and `bus` is the bus on which it arrived. A message with the same hash is a
    /// second copy only if it arrives on the other bus.
    package mutating func isNew(_ hash: Int, from bus: Int, now: ContinuousClock.Instant) -> Bool {
        forget(now: now)
        if Self.take(hash, from: bus, in: &current) || Self.take(hash, from: bus, in: &previous) { return false }
        var delivered = previous.removeValue(forKey: hash) ?? current[hash] ?? Delivered(bus: bus, count: 0)
        delivered.count += 1
        current[hash] = delivered
        return true
    }

    /// Removes the record of one delivered message that has this hash and did not arrive on `bus`.
    ///
    /// `messages` is one of the tables `current` and `previous`. Returns false if the table has no such record.
    private static func take(_ hash: Int, from bus: Int, in messages: inout [Int: Delivered]) -> Bool {
        guard let delivered = messages[hash], delivered.bus != bus else { return false }
        messages[hash]?.count -= 1
        if delivered.count <= 1 { messages[hash] = nil }
        return true
    }

    private mutating func forget(now: ContinuousClock.Instant) {
        guard let begun = begunAt else { return begunAt = now }
        guard now - begun >= Self.memory || current.count >= Self.maximumMessages else { return }
        previous = now - begun >= Self.memory * 2 ? [:] : current
        current = [:]
        begunAt = now
    }
}
