// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A number with where it is from, so that a better one can take its place.
public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        /// Somebody measured it on the device or its simulator.
        case measured(String)
        /// Apple's documentation says so.
        case published(String)
        /// It follows from other numbers, by the rule that is named; nobody has measured it.
        case derived(String)
    }

    public let value: Value
    public let source: Source

    public init(_ value: Value, _ source: Source) {
        self.value = value
        self.source = source
    }
}
