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
        /// A symbol on the pixel grid of a panel with few colours.
        case pixelSymbol(PixelSymbol, Color)
        case rectangle(Rectangle, Color)
        /// A line of dots with gaps of the same length, along the longer side of the rectangle.
        case dots(Rectangle, Color)
    }

    public let size: Size
    /// The number of pixels per point.
    public let scale: Int
    let background: Background
    /// The panel on which the picture is shown; nil for other displays, and for panels of earlier versions.
    let panel: Panel?
    let elements: [Element]

    /// Creates the picture of a layout at the resolution of a display.
    public init(_ layout: Layout, on display: Display) {
        let scale = PixelGrid.pixels(perPoint: display.scale)
        self.init(layout, family: display.family, scale: scale, panel: display.panel)
    }

    init(_ layout: Layout, family: Display.Family, scale: Int, panel: Panel? = nil) {
        let palette = panel.map { Palette.of(layout.appearance, on: $0) } ?? Palette.of(layout.appearance, on: family)
        var elements = Elements(palette: palette, isOnPixels: panel?.hasFewColors == true)
        elements.append(layout, at: VectorPath.Point(0, 0))
        size = layout.size
        self.scale = scale
        background = Background(family, size: layout.size, palette: palette)
        self.panel = panel
        self.elements = elements.elements
    }

    /// Creates the picture of a board from the layouts of its cells.
    ///
    /// `size` is the size of the board in pixels, before its rotation. The colours are those of `appearance`, whatever
    /// the appearance of the layouts is. The picture depends only on the arguments: palette, rotation, inversion and
    /// bits of `panel` apply to the whole board, and its place does not matter.
    public init(board cells: [BoardCellLayout], size: Size, panel: Panel, appearance: Appearance = .light) {
        let palette = Palette.of(appearance, on: panel)
        var elements = Elements(palette: palette, isOnPixels: panel.hasFewColors)
        for cell in cells {
            elements.append(cell.layout, at: VectorPath.Point(cell.frame.x.rounded(), cell.frame.y.rounded()))
        }
        self.size = size
        scale = 1
        background = Background(.panel, size: size, palette: palette)
        var panel = panel
        panel.cell = nil
        self.panel = panel
        self.elements = elements.elements
    }

    /// The size in pixels, rounded up so that no edge is lost, and after the rotation for a panel.
    public var pixels: (width: Int, height: Int) {
        let upright = uprightPixels
        return panel?.rotation.swapsSides == true ? (upright.height, upright.width) : upright
    }

    /// The size in pixels before the rotation for a panel.
    var uprightPixels: (width: Int, height: Int) {
        (Self.pixels(size.width, scale), Self.pixels(size.height, scale))
    }

    /// The look of the text.
    var look: TextLook { panel?.hasFewColors == true ? .pixels : .smooth }

    private static func pixels(_ length: Double, _ scale: Int) -> Int {
        let pixels = (length * Double(scale) - Room.tolerance).rounded(.up)
        return pixels.isFinite ? max(Int(min(pixels, 1e9)), 1) : 1
    }
}

/// The layout of one cell of a board, and its frame on the board in pixels.
public struct BoardCellLayout: Hashable, Sendable {
    public var frame: Rectangle
    public var layout: Layout

    public init(frame: Rectangle, layout: Layout) {
        self.frame = frame
        self.layout = layout
    }
}
