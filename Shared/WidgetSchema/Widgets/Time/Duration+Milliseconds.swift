// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Duration {
    /// The number of whole milliseconds, rounded towards zero; the nearest `Int64` if the number does not fit.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }
}
