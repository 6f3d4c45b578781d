// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A request to the layout service for the layouts of a widget that is not in the configuration.
///
/// The request contains the widget's definition, its content and the displays. Nothing is stored or published.
public struct PreviewRequest: RequestBody {
    public static let name = "preview"
    public typealias Result = PreviewAnswer

    /// The maximum number of displays in a request.
    public static let maximumDisplays = 16

    public var definition: WidgetDefinition
    public var content: Content
    public var displays: [Display]

    public init(definition: WidgetDefinition, content: Content, displays: [Display]) {
        self.definition = definition
        self.content = content
        self.displays = displays
    }
}

/// The layouts of a preview, in the order of the requested displays.
public struct PreviewAnswer: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        public var display: DisplayName
        public var digest: ContentDigest
        public var layout: Layout

        public init(display: DisplayName, digest: ContentDigest, layout: Layout) {
            self.display = display
            self.digest = digest
            self.layout = layout
        }
    }

    public var layouts: [Entry]

    public init(layouts: [Entry]) { self.layouts = layouts }
}
