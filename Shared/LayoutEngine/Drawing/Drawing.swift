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
    private let hasContent: Bool
    /// The sketch of the other mode (family `today`); nil if there is none.
    private let otherMode: Canvas.Sketch?

    init(
        _ sketch: Canvas.Sketch,
        hasContent: Bool,
        summary: String,
        otherMode: Canvas.Sketch? = nil,
        panel: Panel? = nil
    ) {
        layout = sketch.layout
        digest = LayoutDigest.of(sketch.layout, hasContent: hasContent, panel: panel)
        self.summary = summary
        rowIDs = sketch.rowIDs
        self.hasContent = hasContent
        self.otherMode = otherMode
    }

    /// The layout with ``Layout/modeChanges``, as clients receive it.
    ///
    /// The changes are computed at each access, because only published layouts need them.
    public var publishedLayout: Layout {
        guard let otherMode, !rowIDs.isEmpty || !otherMode.rowIDs.isEmpty else { return layout }
        let other = Drawing(otherMode, hasContent: hasContent, summary: summary)
        var published = layout
        published.modeChanges = RowChanges(from: other.digest, old: other.rows, new: rows)
        return published
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
