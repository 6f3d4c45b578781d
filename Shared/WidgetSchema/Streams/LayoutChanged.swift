// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The event that reports the new digest of a widget's layout on one display, published as `layout/WIDGET/DISPLAY/`.
///
/// The loss of this event does no harm: the cycle's ``Update`` contains the new digests of all displays. A client whose
/// stored layout has another digest requests the new layout with `render`.
public struct LayoutChanged: EventPayload {
    public static let eventType = "tidings.layout.v1"
    public static let publisher = ServiceName.layout

    public var display: DisplayName
    public var digest: ContentDigest
    /// The new layout; nil if the event would exceed ``MessageLimits/clientFrame``.
    ///
    /// If the value is nil, clients request the layout with `render`.
    public var layout: Layout?
    public var rowChanges: RowChanges?

    public init(display: DisplayName, digest: ContentDigest, layout: Layout?, rowChanges: RowChanges?) {
        self.display = display
        self.digest = digest
        self.layout = layout
        self.rowChanges = rowChanges
    }
}
