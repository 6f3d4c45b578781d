// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

/// Pictures on one sheet, row by row, with a caption above each row.
struct ContactSheet {
    static let margin = 16
    /// The zoom of the captions, in pixels per point.
    private static let captionZoom = 1.0
    private static let captionHeight = 24

    private(set) var placedLayouts: [SampleRenderer.PlacedLayout] = []
    private(set) var width = 2 * ContactSheet.margin
    private(set) var height = ContactSheet.margin
    let zoom: Double

    /// `zoom` is in pixels per point.
    init(zoom: Double) { self.zoom = zoom }

    /// Adds pictures side by side.
    mutating func append(_ caption: String, _ layouts: [(layout: Layout, family: Display.Family)]) {
        append(caption, layouts.map { ($0.layout, $0.family, nil) })
    }

    /// Adds the pictures of panels side by side.
    mutating func append(_ caption: String, _ layouts: [(layout: Layout, panel: WidgetSchema.Panel)]) {
        append(caption, layouts.map { ($0.layout, .panel, $0.panel) })
    }

    private mutating func append(
        _ caption: String,
        _ layouts: [(layout: Layout, family: Display.Family, panel: WidgetSchema.Panel?)]
    ) {
        guard !layouts.isEmpty else { return }
        placedLayouts.append(
            SampleRenderer.PlacedLayout(
                layout: Self.label(caption),
                family: .panel,
                x: Self.margin,
                y: height,
                zoom: Self.captionZoom
            )
        )
        height += Self.captionHeight
        var x = Self.margin
        var tallest = 0
        for (layout, family, panel) in layouts {
            placedLayouts.append(
                SampleRenderer.PlacedLayout(layout: layout, family: family, panel: panel, x: x, y: height, zoom: zoom)
            )
            x += Int((layout.size.width * zoom).rounded(.up)) + Self.margin
            tallest = max(tallest, Int((layout.size.height * zoom).rounded(.up)))
        }
        width = max(width, x)
        height += tallest + Self.margin
    }

    /// Adds boards side by side, each with its header and its cells.
    mutating func append(_ caption: String, boards: [SampleBoard], _ renderer: SampleRenderer) {
        var background: [(layout: Layout, panel: WidgetSchema.Panel)] = []
        for board in boards {
            let size = Size(width: board.panel.width, height: board.panel.height)
            background.append((Layout(size: size, views: []), WidgetSchema.Panel(palette: board.palette)))
        }
        let top = height + Self.captionHeight
        append(caption, background)
        var x = Self.margin
        for board in boards {
            for cell in board.cells {
                var layout = renderer.layout(of: cell.item.sample)
                if let header = layout.header {
                    let isRightToLeft = board.language.isRightToLeft
                    let frame = board.headerFrame
                    let left = isRightToLeft ? frame.x + frame.width - header.frame.width : frame.x
                    let text = Layout(size: header.frame.size, views: [header])
                    place(text, cell.item.display.panel, x: x, y: top, at: (left, frame.y))
                }
                layout.header = nil
                place(layout, cell.item.display.panel, x: x, y: top, at: (cell.frame.x, cell.frame.y))
            }
            x += Int((board.panel.width * zoom).rounded(.up)) + Self.margin
        }
    }

    /// Adds a layout within a picture whose corner is at `x` and `y`.
    private mutating func place(
        _ layout: Layout,
        _ panel: WidgetSchema.Panel?,
        x: Int,
        y: Int,
        at point: (x: Double, y: Double)
    ) {
        placedLayouts.append(
            SampleRenderer.PlacedLayout(
                layout: layout,
                family: .panel,
                panel: panel,
                x: x + Int((point.x * zoom).rounded()),
                y: y + Int((point.y * zoom).rounded()),
                zoom: zoom
            )
        )
    }

    func png(_ renderer: SampleRenderer) throws -> Data {
        try renderer.sheet(placedLayouts, width: width, height: height)
    }

    private static func label(_ text: String) -> Layout {
        let font = LayoutFont(style: .footnote, weight: .semibold, size: 13, leading: 18)
        // About as wide as the text; what stands behind it is the sheet.
        let width = Double(text.count) * 7.6 + 12
        let frame = Rectangle(x: 6, y: 0, width: width - 12, height: 18)
        let line = TextLine(text: text, x: 0, baseline: 13.5, width: frame.width)
        let label = LayoutView(kind: .label, frame: frame, text: LayoutText(lines: [line], font: font, color: .label))
        return Layout(size: Size(width: width, height: 18), views: [label])
    }
}

extension Rectangle {
    fileprivate var size: Size { Size(width: width, height: height) }
}
