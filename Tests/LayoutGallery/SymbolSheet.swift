// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

@testable import LayoutEngine

/// All symbols with their names, for the documentation.
enum SymbolSheet {
    /// The picture's place in the project; `make symbols` writes it.
    static let file = "docs/images/symbols.svg"
    private static let columns = 4
    private static let cell = Size(width: 250, height: 48)
    private static let side = 32.0
    private static let margin = 8.0

    /// Draws all symbols in black and white, with a side in pixels.
    static func picture(side: Double) -> Picture {
        let columns = 16
        let views = SymbolCatalog.names.enumerated().map { index, name in
            let (x, y) = (Double(index % columns) * 1.5 * side, Double(index / columns) * 1.5 * side)
            return LayoutView(
                kind: .image,
                frame: Rectangle(x: x + side / 4, y: y + side / 4, width: side, height: side),
                image: LayoutImage(symbol: name, color: .label)
            )
        }
        let rows = (SymbolCatalog.names.count + columns - 1) / columns
        let size = Size(width: Double(columns) * 1.5 * side, height: Double(rows) * 1.5 * side)
        return Picture(Layout(size: size, views: views), family: .panel, scale: 1, panel: Panel(palette: .mono))
    }

    static var layout: Layout {
        let rows = (SymbolCatalog.names.count + columns - 1) / columns
        let font = LayoutFont(style: .footnote, weight: .regular, size: 16, leading: 21)
        let measurer = TextMeasurer()
        var views: [LayoutView] = []
        for (index, name) in SymbolCatalog.names.enumerated() {
            let (column, row) = (index / rows, index % rows)
            let (x, y) = (margin + Double(column) * cell.width, margin + Double(row) * cell.height)
            let image = Rectangle(x: x, y: y, width: side, height: side)
            views.append(LayoutView(kind: .image, frame: image, image: LayoutImage(symbol: name, color: .label)))
            let lines = measurer.measure(DisplayText(name), font: font, width: cell.width, maximumLines: 1)
                .map { TextLine(text: $0.text, x: 0, baseline: $0.baseline, width: $0.width) }
            let text = LayoutText(lines: lines, font: font, color: .label)
            let top = y + (side - font.leading) / 2
            let frame = Rectangle(x: x + side + margin, y: top, width: lines.first?.width ?? 0, height: font.leading)
            views.append(LayoutView(kind: .label, frame: frame, text: text))
        }
        let size = Size(
            width: 2 * margin + Double(columns) * cell.width,
            height: 2 * margin + Double(rows) * cell.height
        )
        return Layout(size: size, views: views)
    }
}
