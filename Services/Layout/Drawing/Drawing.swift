// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A layout with the digest of all that is visible in it, and its rows.
struct Drawing: Hashable, Sendable {
    let layout: Layout
    let digest: ContentDigest
    /// From top to bottom.
    let rows: [DrawnRow]

    init(_ sketch: Canvas.Sketch) {
        layout = sketch.layout
        digest = LayoutDigest.of(sketch.layout)
        let views = sketch.layout.views.filter { $0.kind == .row }
        rows = zip(sketch.rowIDs, views).map { DrawnRow(id: $0, digest: LayoutDigest.of(row: $1)) }
    }
}

/// A row as it was drawn: who it is, and what it looks like.
struct DrawnRow: Hashable, Sendable {
    /// Names the row among those of its layout.
    let id: String
    let digest: ContentDigest
}
