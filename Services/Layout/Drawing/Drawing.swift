// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A layout with the digest of all that is visible in it.
struct Drawing: Hashable, Sendable {
    let layout: Layout
    let digest: ContentDigest

    init(_ layout: Layout) throws(WireError) {
        self.layout = layout
        digest = try LayoutDigest.of(layout)
    }

    /// The digests of the rows, from top to bottom.
    func rows() throws(WireError) -> [ContentDigest] {
        var rows: [ContentDigest] = []
        for view in layout.views where view.kind == .row { rows.append(try LayoutDigest.of(row: view)) }
        return rows
    }
}
