// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the layout service for the layout of a widget on one display at one cycle, or for a picture of that
/// layout.
public struct RenderRequest: RequestBody {
    public static let name = "render"
    public typealias Result = RenderAnswer

    public var widget: WidgetID
    public var display: DisplayName
    /// The sequence number of the cycle; nil for the latest cycle.
    public var sequence: SequenceNumber?
    /// The format of the answer; nil for ``RenderFormat/layout``.
    public var format: RenderFormat?
    /// The appearance; nil for that of the display.
    public var appearance: Appearance?
    /// The text size; nil for that of the display.
    public var contentSizeCategory: ContentSizeCategory?
    /// The direction of texts and rows; nil for the direction of the display.
    public var direction: Display.Direction?
    /// The size of a panel to draw instead of the display; nil to draw the display.
    ///
    /// The panel has the display's other properties, such as the language, the text size and the time zone.
    public var panel: PanelSize?
    /// The placeholder to draw for a widget that has no cycle yet; nil to draw a cycle.
    ///
    /// For a placeholder, the layout service does not request content from the cache.
    public var placeholder: Placeholder?

    /// The input for drawing a placeholder: the definition of the widget, and the display.
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

/// The format of an answer: a layout, or a picture of it.
public enum RenderFormat: String, Codable, CaseIterable, Sendable {
    /// The layout as a tree of views, in the answer's JSON.
    case layout
    /// A vector graphic with selectable text, in the frame after the JSON.
    case svg
    /// An image at the display's resolution, in the frame after the JSON.
    case png
}

/// A layout of a widget or a picture of the layout, with the sequence number of its cycle.
public struct RenderAnswer: Codable, Hashable, Sendable {
    public var widget: WidgetID
    public var display: DisplayName
    public var sequence: SequenceNumber
    /// The digest of the layout that was drawn, even if the answer contains a picture instead of the layout.
    ///
    /// The light and the dark appearance of a layout have different digests.
    public var digest: ContentDigest
    /// The layout; nil if a picture was requested.
    public var layout: Layout?
    /// The description of the picture, whose bytes follow in a separate frame; nil if the layout was requested.
    public var picture: RenderedPicture?
    /// The engine that drew the layout; nil in answers of earlier versions.
    ///
    /// Pictures of layouts with equal digests have equal pixels if ``engine``, ``family`` and ``scale`` are equal too.
    public var engine: LayoutEngineVersion?
    /// The family for which the layout was drawn; it determines the background and the corners of a picture.
    ///
    /// Nil in answers of earlier versions.
    public var family: Display.Family?
    /// The number of pixels per point of a picture; nil in answers of earlier versions.
    public var scale: Int?

    public init(
        widget: WidgetID,
        display: DisplayName,
        sequence: SequenceNumber,
        digest: ContentDigest,
        layout: Layout? = nil,
        picture: RenderedPicture? = nil,
        engine: LayoutEngineVersion? = nil,
        family: Display.Family? = nil,
        scale: Int? = nil
    ) {
        self.widget = widget
        self.display = display
        self.sequence = sequence
        self.digest = digest
        self.layout = layout
        self.picture = picture
        self.engine = engine
        self.family = family
        self.scale = scale
    }
}

/// The description of a picture whose bytes are in the frame after the answer.
public struct RenderedPicture: Codable, Hashable, Sendable {
    public var format: RenderFormat
    /// The width in pixels; for an SVG, the width at the display's resolution.
    public var width: Int
    /// The height in pixels; for an SVG, the height at the display's resolution.
    public var height: Int
    /// The size in bytes of the frame that contains the picture.
    public var bytes: Int

    public init(format: RenderFormat, width: Int, height: Int, bytes: Int) {
        self.format = format
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
