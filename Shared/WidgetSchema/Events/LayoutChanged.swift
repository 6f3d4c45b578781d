// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A layout whose digest changed, published as `layout/WIDGET/DISPLAY/`.
///
/// This event may be lost without harm. The update of the cycle contains the digests, and a client whose layout has
/// another digest requests the new layout with `render`.
public struct LayoutChanged: EventPayload {
    public static let eventType = "tidings.layout.v1"
    public static let publisher = ServiceName.layout

    public var display: DisplayName
    public var digest: ContentDigest
    /// The layout; nil if the event would exceed ``MessageLimits/clientFrame``: then clients request the layout with
    /// `render`.
    public var layout: Layout?
    public var rowChanges: RowChanges?

    public init(display: DisplayName, digest: ContentDigest, layout: Layout?, rowChanges: RowChanges?) {
        self.display = display
        self.digest = digest
        self.layout = layout
        self.rowChanges = rowChanges
    }
}
