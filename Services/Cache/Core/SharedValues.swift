// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Gives equal values one copy, so that what thousands of widgets have in common takes its memory once.
struct SharedValues<Value: Hashable> {
    private var known: Set<Value> = []

    /// The first value that was equal to this one.
    mutating func one(_ value: Value) -> Value { known.insert(value).memberAfterInsert }
}
