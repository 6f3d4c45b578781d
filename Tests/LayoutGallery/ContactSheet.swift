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
        for (layout, family) in layouts {
            placedLayouts.append(
                SampleRenderer.PlacedLayout(layout: layout, family: family, x: x, y: height, zoom: zoom)
            )
            x += Int((layout.size.width * zoom).rounded(.up)) + Self.margin
            tallest = max(tallest, Int((layout.size.height * zoom).rounded(.up)))
        }
        width = max(width, x)
        height += tallest + Self.margin
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
