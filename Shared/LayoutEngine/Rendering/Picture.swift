// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The elements of a layout in drawing order, in points from the top left corner of the picture.
///
/// A picture is the same for PNG and SVG: all texts are already measured and broken into lines.
public struct Picture: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        var text: String
        /// The left edge of this line of text, in points from the left edge of the picture.
        var x: Double
        var baseline: Double
        var width: Double
        var font: LayoutFont
        var color: Color
    }

    enum Element: Hashable, Sendable {
        case line(Line)
        case symbol(SymbolArt, in: Rectangle, Color)
        case rectangle(Rectangle, Color)
    }

    public let size: Size
    /// The number of pixels per point.
    public let scale: Int
    let background: Background
    let elements: [Element]

    /// Creates the picture of a layout at the resolution of a display.
    public init(_ layout: Layout, on display: Display) {
        self.init(layout, family: display.family, scale: PixelGrid.pixels(perPoint: display.scale))
    }

    init(_ layout: Layout, family: Display.Family, scale: Int) {
        let palette = Palette.of(layout.appearance, on: family)
        var elements: [Element] = []
        for view in layout.views { Self.append(view, in: VectorPath.Point(0, 0), palette, to: &elements) }
        size = layout.size
        self.scale = scale
        background = Background(family, size: layout.size, palette: palette)
        self.elements = elements
    }

    /// The size in pixels, rounded up so that no edge is lost.
    public var pixels: (width: Int, height: Int) {
        (Self.pixels(size.width, scale), Self.pixels(size.height, scale))
    }

    private static func pixels(_ length: Double, _ scale: Int) -> Int {
        let pixels = (length * Double(scale) - Room.tolerance).rounded(.up)
        return pixels.isFinite ? max(Int(min(pixels, 1e9)), 1) : 1
    }

    private static func append(
        _ view: LayoutView,
        in origin: VectorPath.Point,
        _ palette: Palette,
        to elements: inout [Element]
    ) {
        let frame = Rectangle(
            x: origin.x + view.frame.x,
            y: origin.y + view.frame.y,
            width: view.frame.width,
            height: view.frame.height
        )
        if let text = view.text {
            for line in text.lines {
                elements.append(
                    .line(
                        Line(
                            text: line.text,
                            x: frame.x + line.x,
                            baseline: frame.y + line.baseline,
                            width: line.width,
                            font: text.font,
                            color: palette.color(text.color)
                        )
                    )
                )
            }
        }
        if let image = view.image {
            elements.append(.symbol(SymbolArt.named(image.symbol), in: frame, palette.color(image.color)))
        }
        if view.kind == .divider { elements.append(.rectangle(frame, palette.separator)) }
        let inner = VectorPath.Point(frame.x, frame.y)
        for child in view.views ?? [] { append(child, in: inner, palette, to: &elements) }
    }
}
