// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A value with a reference to the document, the measurement or the rule that it comes from.
///
/// The reference shows how reliable the value is. A derived value should be replaced if a measured or published value
/// is found.
public struct Referenced<Value: Hashable & Sendable>: Hashable, Sendable {
    public enum Reference: Hashable, Sendable {
        /// The value was measured on the device or its simulator; the text describes the measurement.
        case measured(String)
        /// The value is from Apple's documentation; the text names the document.
        case published(String)
        /// The value was derived from other values and not measured; the text describes the rule.
        case derived(String)
    }

    public let value: Value
    public let reference: Reference

    public init(_ value: Value, _ reference: Reference) {
        self.value = value
        self.reference = reference
    }
}
