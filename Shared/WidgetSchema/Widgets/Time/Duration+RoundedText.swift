// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

extension Duration {
    /// The duration as short text in one unit, rounded: `95 ms`, `3.6 s`, `47 s`, `2 min`, `3 h` or `5 d`.
    ///
    /// A negative duration counts as zero.
    public var roundedText: String {
        let milliseconds = max(0, wholeMilliseconds)
        // Each limit is the shortest duration that rounds up to the next unit.
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<9_950:
            let tenths = (milliseconds + 50) / 100
            return "\(tenths / 10).\(tenths % 10) s"
        case ..<59_500: return "\((milliseconds + 500) / 1_000) s"
        case ..<3_570_000: return "\((milliseconds + 30_000) / 60_000) min"
        case ..<84_600_000: return "\((milliseconds + 1_800_000) / 3_600_000) h"
        default:
            let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
            return "\(days + (rest >= 43_200_000 ? 1 : 0)) d"
        }
    }
}
