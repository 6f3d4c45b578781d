// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// A layout with its rows and the digest of its visible parts.
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

    /// The rows from top to bottom.
    ///
    /// The rows are computed at each access, because only published layouts need them.
    public var rows: [DrawnRow] {
        let views = layout.views.filter { $0.kind == .row }
        return zip(rowIDs, views).map { DrawnRow(id: $0, digest: LayoutDigest.of(row: $1)) }
    }
}

/// A drawn row: its id and the digest of its appearance.
public struct DrawnRow: Hashable, Sendable {
    /// The id, unique within the layout.
    public let id: String
    public let digest: ContentDigest
}
