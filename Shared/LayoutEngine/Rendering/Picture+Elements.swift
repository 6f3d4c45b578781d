// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension Panel {
    /// A Boolean value that indicates whether pictures for the panel have few colours, and are drawn on whole pixels.
    var hasFewColors: Bool { palette.colors != nil }

    /// A Boolean value that indicates whether glyphs and symbols have edges in greys.
    ///
    /// Four levels of grey are enough to smooth the edges of hinted glyphs; panels with hues have no greys.
    var isAntialiased: Bool { palette == .gray4 || palette == .gray16 || palette == .color }
}

extension Picture {
    /// The elements of layouts, in drawing order.
    struct Elements {
        let palette: Palette
        /// A Boolean value that indicates whether all edges, lines of text and symbols are on whole pixels.
        let isOnPixels: Bool
        private(set) var elements: [Element] = []

        init(palette: Palette, isOnPixels: Bool) {
            self.palette = palette
            self.isOnPixels = isOnPixels
        }

        /// Appends the elements of a layout; `origin` is its top left corner in the picture, in points.
        mutating func append(_ layout: Layout, at origin: VectorPath.Point) {
            for view in layout.views { append(view, in: origin) }
        }

        private mutating func append(_ view: LayoutView, in origin: VectorPath.Point) {
            let frame = Rectangle(
                x: origin.x + view.frame.x,
                y: origin.y + view.frame.y,
                width: view.frame.width,
                height: view.frame.height
            )
            // A bar is behind its texts and subviews.
            switch view.kind {
            case .divider: elements.append(.rectangle(edges(frame), palette.separator))
            case .bar, .rule: elements.append(.rectangle(edges(frame), palette.label))
            case .badge: elements.append(.rectangle(edges(frame), palette.background))
            case .dots: elements.append(.dots(dotted(frame), palette.label))
            case .row, .label, .image, .button: break
            }
            if let text = view.text {
                for line in text.lines {
                    elements.append(
                        .line(
                            Line(
                                text: line.text,
                                x: position(frame.x + line.x),
                                baseline: position(frame.y + line.baseline),
                                width: line.width,
                                font: text.font,
                                color: palette.color(text.color)
                            )
                        )
                    )
                }
            }
            if let image = view.image {
                let art = SymbolArt.named(image.symbol)
                let color = palette.color(image.color)
                elements.append(
                    isOnPixels ? .pixelSymbol(PixelSymbol(art, in: frame), color) : .symbol(art, in: frame, color)
                )
            }
            let inner = VectorPath.Point(frame.x, frame.y)
            for child in view.views ?? [] { append(child, in: inner) }
        }

        private func position(_ coordinate: Double) -> Double { isOnPixels ? coordinate.rounded() : coordinate }

        /// Returns a frame whose edges are between pixels; it is at least one pixel wide and high.
        private func edges(_ frame: Rectangle) -> Rectangle {
            guard isOnPixels else { return frame }
            let (x, y) = (frame.x.rounded(), frame.y.rounded())
            return Rectangle(
                x: x,
                y: y,
                width: max((frame.x + frame.width).rounded() - x, 1),
                height: max((frame.y + frame.height).rounded() - y, 1)
            )
        }

        /// Returns the frame of a dotted line, which begins at an even pixel: the dots of parallel lines are in rows.
        private func dotted(_ frame: Rectangle) -> Rectangle {
            guard isOnPixels else { return frame }
            var line = edges(frame)
            if line.height > line.width, line.y.truncatingRemainder(dividingBy: 2) != 0, line.height > 1 {
                line.y += 1
                line.height -= 1
            }
            return line
        }
    }
}

extension Rectangle {
    /// The squares of a dotted line along the longer side, with gaps of their size; the last one may be shorter.
    ///
    /// The side of a square is the shorter side, but at least so long that there are ``maximumDots``.
    var dots: [Rectangle] {
        let isVertical = height > width
        let length = max(width, height)
        let side = max(min(width, height), length / (2 * Self.maximumDots))
        guard side > 0 else { return [] }
        return stride(from: 0, to: length, by: 2 * side).map { start in
            let rest = min(side, length - start)
            return isVertical
                ? Rectangle(x: x, y: y + start, width: width, height: rest)
                : Rectangle(x: x + start, y: y, width: rest, height: height)
        }
    }

    /// The maximum number of dots of a line.
    private static let maximumDots = 10_000.0
}
