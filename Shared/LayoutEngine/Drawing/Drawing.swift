// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A layout with the digest of all that is visible in it, and its rows.
public struct Drawing: Hashable, Sendable {
    public let layout: Layout
    public let digest: ContentDigest
    /// A line of text that summarises the layout.
    public let summary: String
    private let rowIDs: [String]

    init(_ sketch: Canvas.Sketch, hasContent: Bool, summary: String) {
        layout = sketch.layout
        digest = LayoutDigest.of(sketch.layout, hasContent: hasContent)
        self.summary = summary
        rowIDs = sketch.rowIDs
    }

    /// From top to bottom; worked out anew each time, since only layouts that are published need them.
    public var rows: [DrawnRow] {
        let views = layout.views.filter { $0.kind == .row }
        return zip(rowIDs, views).map { DrawnRow(id: $0, digest: LayoutDigest.of(row: $1)) }
    }
}

/// A drawn row: its identity and the digest of its looks.
public struct DrawnRow: Hashable, Sendable {
    /// Names the row among those of its layout.
    public let id: String
    public let digest: ContentDigest
}
