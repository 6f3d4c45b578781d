// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A value with a reference to where it is documented or measured.
///
/// The reference shows which values should be replaced if a more reliable one is found.
public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
    public enum Source: Hashable, Sendable {
        /// The value was measured on the device or its simulator.
        case measured(String)
        /// The value is from Apple's documentation.
        case published(String)
        /// The value follows from others by the named rule; nobody has measured it.
        case derived(String)
    }

    public let value: Value
    public let source: Source

    public init(_ value: Value, _ source: Source) {
        self.value = value
        self.source = source
    }
}
