// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// All symbols with their names, for the documentation.
enum SymbolSheet {
    /// The picture's place in the project; `make symbols` writes it.
    static let file = "docs/images/symbols.svg"
    private static let columns = 5
    private static let cell = Size(width: 200, height: 40)
    private static let side = 24.0
    private static let margin = 8.0

    static var layout: Layout {
        let rows = (SymbolCatalog.names.count + columns - 1) / columns
        let font = LayoutFont(style: .footnote, weight: .regular, size: 13, leading: 18)
        var views: [LayoutView] = []
        for (index, name) in SymbolCatalog.names.enumerated() {
            let (column, row) = (index / rows, index % rows)
            let (x, y) = (margin + Double(column) * cell.width, margin + Double(row) * cell.height)
            let image = Rectangle(x: x, y: y, width: side, height: side)
            views.append(LayoutView(kind: .image, frame: image, image: LayoutImage(symbol: name, color: .label)))
            let width = Double(name.count) * 6.6
            let line = TextLine(text: name, x: 0, baseline: 13.5, width: width)
            let text = LayoutText(lines: [line], font: font, color: .label)
            let frame = Rectangle(x: x + side + margin, y: y + 3, width: width, height: 18)
            views.append(LayoutView(kind: .label, frame: frame, text: text))
        }
        let size = Size(
            width: 2 * margin + Double(columns) * cell.width,
            height: 2 * margin + Double(rows) * cell.height
        )
        return Layout(size: size, views: views)
    }
}
