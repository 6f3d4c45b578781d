// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A memory of the most recently used values, up to a total cost.
///
/// The memory has two generations. A value that is used moves to the younger generation. When the cost of the younger
/// generation exceeds half of the limit, the older generation is dropped and the younger one becomes the older one.
/// Every operation takes constant time, and the total cost exceeds the limit by at most the cost of one value.
public struct BoundedMemory<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var cost: Int
    }

    public let limit: Int
    /// The number of values that were dropped because of the limit.
    public private(set) var forgotten: Int64 = 0
    private var younger: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    private var youngerCost = 0

    public init(limit: Int) {
        precondition(limit > 0, "the limit must be greater than zero")
        self.limit = limit
    }

    public var count: Int { younger.count + older.count }

    /// Returns the value for a key and marks it as used; nil if there is no such value.
    public mutating func value(for key: Key) -> Value? {
        if let entry = younger[key] { return entry.value }
        guard !older.isEmpty, let entry = older.removeValue(forKey: key) else { return nil }
        insert(entry, for: key)
        return entry.value
    }

    public mutating func remember(_ value: Value, for key: Key, cost: Int = 1) {
        if !older.isEmpty { older[key] = nil }
        insert(Entry(value: value, cost: cost), for: key)
    }

    public mutating func forget(_ key: Key) {
        if let entry = younger.removeValue(forKey: key) { youngerCost -= entry.cost }
        older[key] = nil
    }

    private mutating func insert(_ entry: Entry, for key: Key) {
        let replaced = younger.updateValue(entry, forKey: key)
        youngerCost += entry.cost - (replaced?.cost ?? 0)
        guard youngerCost > limit / 2 else { return }
        forgotten += Int64(older.count)
        older = younger
        younger = [:]
        youngerCost = 0
    }
}
