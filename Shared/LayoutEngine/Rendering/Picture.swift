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
        /// A line of dots with gaps of the same length, along the longer side of the rectangle.
        case dots(Rectangle, Color)
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

    init(_ elements: [Element], size: Size, appearance: Appearance) {
        self.size = size
        scale = 1
        background = Background(.panel, size: size, palette: Palette.of(appearance, on: .panel))
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
        // A bar is behind its texts and subviews.
        switch view.kind {
        case .divider: elements.append(.rectangle(frame, palette.separator))
        case .bar, .rule: elements.append(.rectangle(frame, palette.label))
        case .badge: elements.append(.rectangle(frame, palette.background))
        case .dots: elements.append(.dots(frame, palette.label))
        case .row, .label, .image, .button: break
        }
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
        let inner = VectorPath.Point(frame.x, frame.y)
        for child in view.views ?? [] { append(child, in: inner, palette, to: &elements) }
    }
}

extension Rectangle {
    /// The squares of a dotted line along the longer side, with gaps of their size; the last one may be shorter.
    ///
    /// The side of a square is the shorter side, at least ``shortestDot``.
    var dots: [Rectangle] {
        let isVertical = height > width
        let (length, side) = (isVertical ? height : width, max(isVertical ? width : height, Self.shortestDot))
        return stride(from: 0, to: length, by: 2 * side).map { start in
            let rest = min(side, length - start)
            return isVertical
                ? Rectangle(x: x, y: y + start, width: width, height: rest)
                : Rectangle(x: x + start, y: y, width: rest, height: height)
        }
    }

    /// The minimum side of a dot in points, which bounds the number of dots.
    private static let shortestDot = 0.25
}
