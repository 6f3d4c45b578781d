// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that satisfies a condition, or `endIndex` if none does; O(log n).
    ///
    /// All elements after one that satisfies the condition must satisfy it, too.
    package func partitionPoint(where isAfter: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
