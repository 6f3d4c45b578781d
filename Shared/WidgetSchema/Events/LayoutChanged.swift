// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A layout whose digest changed, `layout/WIDGET/DISPLAY/`.
///
/// A hint: the update names the digests, and a client whose layout differs asks `render`.
public struct LayoutChanged: EventPayload {
    public static let eventType = "tidings.layout.v1"
    public static let publisher = ServiceName.layout

    public var display: DisplayName
    public var digest: ContentDigest
    /// Absent where it would not fit a client's frame; it is fetched by `render` then.
    public var layout: Layout?
    public var rowChanges: RowChanges?

    public init(display: DisplayName, digest: ContentDigest, layout: Layout?, rowChanges: RowChanges?) {
        self.display = display
        self.digest = digest
        self.layout = layout
        self.rowChanges = rowChanges
    }
}
