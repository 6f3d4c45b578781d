// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A layout whose digest changed, `layout/WIDGET/DISPLAY/`.
///
/// This event is a hint: the update contains the digests, and a client with another layout requests `render`.
public struct LayoutChanged: EventPayload {
    public static let eventType = "tidings.layout.v1"
    public static let publisher = ServiceName.layout

    public var display: DisplayName
    public var digest: ContentDigest
    /// The layout; nil if it would exceed a client's frame, in which case clients request it with `render`.
    public var layout: Layout?
    public var rowChanges: RowChanges?

    public init(display: DisplayName, digest: ContentDigest, layout: Layout?, rowChanges: RowChanges?) {
        self.display = display
        self.digest = digest
        self.layout = layout
        self.rowChanges = rowChanges
    }
}
