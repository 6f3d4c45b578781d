// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import JSON
import LayoutEngine

/// The displays and definitions that the cycles of widgets repeat, decoded once.
final class RepeatedParts: JSONMemory {
    /// The maximum total size of the parts as JSON, in bytes.
    static let maximumBytes = 4 * 1024 * 1024

    private var values = BoundedMemory<JSONMemoryKey, Any>(limit: RepeatedParts.maximumBytes)

    /// The number of parts that were dropped because of the limit.
    var forgotten: Int64 { values.forgotten }

    func value(for key: JSONMemoryKey) -> Any? { values.value(for: key) }

    func remember(_ value: Any, for key: JSONMemoryKey) { values.remember(value, for: key, cost: key.byteCount) }
}
