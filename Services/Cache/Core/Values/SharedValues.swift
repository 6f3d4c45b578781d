// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A set that shares equal values, so that values common to thousands of widgets are in memory only once.
struct SharedValues<Value: Hashable> {
    private var known: Set<Value> = []

    /// Returns the value of the set that equals `value`; if there is none, adds `value` to the set and returns it.
    mutating func shared(_ value: Value) -> Value { known.insert(value).memberAfterInsert }
}
