// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Asks the layout service for one layout as it was in a cycle.
public struct RenderRequest: RequestBody {
    public static let name = "render"
    public typealias Result = RenderAnswer

    public var widget: WidgetID
    public var display: DisplayName
    /// Absent: the latest.
    public var sequence: SequenceNumber?

    public init(widget: WidgetID, display: DisplayName, sequence: SequenceNumber? = nil) {
        self.widget = widget
        self.display = display
        self.sequence = sequence
    }
}

/// One layout with the cycle it belongs to.
public struct RenderAnswer: Codable, Hashable, Sendable {
    public var widget: WidgetID
    public var display: DisplayName
    public var sequence: SequenceNumber
    public var digest: ContentDigest
    public var layout: Layout

    public init(
        widget: WidgetID,
        display: DisplayName,
        sequence: SequenceNumber,
        digest: ContentDigest,
        layout: Layout
    ) {
        self.widget = widget
        self.display = display
        self.sequence = sequence
        self.digest = digest
        self.layout = layout
    }
}
