// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import LayoutEngine

/// Measures text as a typewriter does: each character is half the font's size wide, and lines break anywhere.
struct FixedWidthMeasurer: TextMeasuring {
    func measure(_ text: DisplayText, font: LayoutFont, width: Double, maximumLines: Int) -> [MeasuredLine] {
        let advance = font.size / 2
        let columns = Int(width / advance)
        guard columns > 0, maximumLines > 0, !text.isEmpty else { return [] }
        var rest = Array(text.string)[...]
        var lines: [String] = []
        while !rest.isEmpty, lines.count < maximumLines {
            lines.append(String(rest.prefix(columns)))
            rest = rest.dropFirst(columns)
        }
        let isCut = !rest.isEmpty
        if isCut { lines[lines.count - 1] = lines[lines.count - 1].dropLast() + "…" }
        return lines.enumerated().map { index, line in
            MeasuredLine(
                text: line,
                width: Double(line.count) * advance,
                baseline: font.leading * (Double(index) + 0.75),
                isCut: isCut && index == lines.count - 1
            )
        }
    }
}
