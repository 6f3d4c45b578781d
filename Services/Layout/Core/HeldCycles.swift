// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The cycles of one widget that wait until the cache has sent a content.
struct HeldCycles {
    static let maximumCycles = 16

    struct Cycle {
        let range: SequenceRange
        let refreshed: Refreshed
    }

    private(set) var cycles: [Cycle] = []

    /// Appends a cycle and drops the oldest ones beyond the limit; returns the number of dropped cycles.
    mutating func append(_ cycle: Cycle) -> Int64 {
        cycles.append(cycle)
        guard cycles.count > Self.maximumCycles else { return 0 }
        cycles.removeFirst()
        return 1
    }
}
