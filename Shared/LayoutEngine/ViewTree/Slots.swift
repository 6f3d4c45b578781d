// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The division of a length into equal parts whose edges lie on the pixel grid.
///
/// Each part is described by its start (`top`) and its length. If a width is divided, `top` is the left edge.
enum Slots {
    static func equal(
        _ count: Int,
        in length: Double,
        spacing: Double,
        grid: PixelGrid
    ) -> [(top: Double, length: Double)] {
        guard count > 0 else { return [] }
        let part = max(length - spacing * Double(count - 1), 0) / Double(count)
        return (0..<count).map { index in
            let start = grid.nearest(Double(index) * (part + spacing))
            let end = grid.nearest(Double(index) * (part + spacing) + part)
            return (start, min(end, length) - start)
        }
    }
}
