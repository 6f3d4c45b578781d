// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import LayoutEngine

/// A measurer like a typewriter: each character is half as wide as the font's size, and there is only one line.
struct TypewriterMeasurer: TextMeasuring {
    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        let advance = font.size / 2
        let columns = Int(max(width, 0) / advance)
        guard columns > 0, maximumLines > 0, !text.isEmpty else { return [] }
        let line = String(text.string.prefix(columns))
        return [MeasuredLine(text: line, width: Double(line.count) * advance, baseline: font.leading * 0.75)]
    }
}
