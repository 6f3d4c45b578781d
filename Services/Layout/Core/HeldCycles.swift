// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The cycles of one widget that wait for a content from the cache.
struct HeldCycles {
    static let maximumCycles = 16

    struct Cycle {
        let range: SequenceRange
        let refreshed: Refreshed
    }

    private(set) var cycles: [Cycle] = []

    /// Appends a cycle; if there are then more than `maximumCycles`, drops the one that was appended first.
    ///
    /// Returns the number of dropped cycles, which is 0 or 1.
    mutating func append(_ cycle: Cycle) -> Int64 {
        cycles.append(cycle)
        guard cycles.count > Self.maximumCycles else { return 0 }
        cycles.removeFirst()
        return 1
    }
}
