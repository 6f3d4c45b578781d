// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the layout service for one layout as of a cycle, or for a picture of it.
public struct RenderRequest: RequestBody {
    public static let name = "render"
    public typealias Result = RenderAnswer

    public var widget: WidgetID
    public var display: DisplayName
    /// The cycle; nil for the latest.
    public var sequence: SequenceNumber?
    /// The format; nil for the layout.
    public var format: RenderFormat?
    /// The appearance; nil for that of the display.
    public var appearance: Appearance?
    /// Instead of the display's own.
    public var contentSizeCategory: ContentSizeCategory?
    /// Instead of the display's own.
    public var direction: Display.Direction?
    /// Drawn as a panel of that size instead, with the display's language, text size and time zone.
    public var panel: PanelSize?
    /// The placeholder to draw for a widget that has no cycle yet; no service is asked for content then.
    public var placeholder: Placeholder?

    /// The widget and the display of a placeholder.
    public struct Placeholder: Codable, Hashable, Sendable {
        public var definition: WidgetDefinition
        public var display: Display

        public init(definition: WidgetDefinition, display: Display) {
            self.definition = definition
            self.display = display
        }
    }

    public init(
        widget: WidgetID,
        display: DisplayName,
        sequence: SequenceNumber? = nil,
        format: RenderFormat? = nil,
        appearance: Appearance? = nil,
        contentSizeCategory: ContentSizeCategory? = nil,
        direction: Display.Direction? = nil,
        panel: PanelSize? = nil,
        placeholder: Placeholder? = nil
    ) {
        self.widget = widget
        self.display = display
        self.sequence = sequence
        self.format = format
        self.appearance = appearance
        self.contentSizeCategory = contentSizeCategory
        self.direction = direction
        self.panel = panel
        self.placeholder = placeholder
    }
}

/// The format of an answered layout.
public enum RenderFormat: String, Codable, CaseIterable, Sendable {
    /// The tree of views, in the answer's JSON.
    case layout
    /// A drawing with its text as text, in the frame after the JSON.
    case svg
    /// An image with the display's number of pixels, in the frame after the JSON.
    case png
}

/// One layout, or a picture of it, with the cycle it belongs to.
public struct RenderAnswer: Codable, Hashable, Sendable {
    public var widget: WidgetID
    public var display: DisplayName
    public var sequence: SequenceNumber
    /// The digest of the layout, in the requested appearance.
    public var digest: ContentDigest
    /// Nil if a picture was requested.
    public var layout: Layout?
    /// The picture, which follows as a frame; nil if the layout was requested.
    public var picture: RenderedPicture?

    public init(
        widget: WidgetID,
        display: DisplayName,
        sequence: SequenceNumber,
        digest: ContentDigest,
        layout: Layout? = nil,
        picture: RenderedPicture? = nil
    ) {
        self.widget = widget
        self.display = display
        self.sequence = sequence
        self.digest = digest
        self.layout = layout
        self.picture = picture
    }
}

/// The description of a picture in the frame after an answer.
public struct RenderedPicture: Codable, Hashable, Sendable {
    public var format: RenderFormat
    /// The width in pixels; for an SVG, the pixels that its display has for it.
    public var width: Int
    /// The height in pixels; for an SVG, the pixels that its display has for it.
    public var height: Int
    /// The length of the frame in bytes.
    public var bytes: Int

    public init(format: RenderFormat, width: Int, height: Int, bytes: Int) {
        self.format = format
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
