// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WidgetSchema

@testable import LayoutEngine

/// Pictures on one sheet, row by row, with a caption above each row.
struct ContactSheet {
    static let margin = 16
    /// The zoom of the captions, in pixels per point.
    private static let captionZoom = 1.0
    private static let captionHeight = 24

    private(set) var pictures: [CairoPainter.Placed] = []
    private(set) var width = 2 * ContactSheet.margin
    private(set) var height = ContactSheet.margin
    let zoom: Double

    /// `zoom` is in pixels per point.
    init(zoom: Double) { self.zoom = zoom }

    /// Adds pictures side by side.
    mutating func append(_ caption: String, _ layouts: [(layout: Layout, family: Display.Family)]) {
        append(caption, layouts.map { Picture($0.layout, family: $0.family, scale: 1) })
    }

    /// Adds the pictures of panels side by side.
    mutating func append(_ caption: String, _ layouts: [(layout: Layout, panel: WidgetSchema.Panel)]) {
        append(caption, layouts.map { Picture($0.layout, family: .panel, scale: 1, panel: $0.panel) })
    }

    /// Adds pictures side by side.
    mutating func append(_ caption: String, _ row: [Picture]) {
        guard !row.isEmpty else { return }
        pictures.append(
            CairoPainter.Placed(
                picture: Picture(Self.label(caption), family: .panel, scale: 1),
                x: Self.margin,
                y: height,
                zoom: Self.captionZoom
            )
        )
        height += Self.captionHeight
        var x = Self.margin
        var tallest = 0
        for picture in row {
            pictures.append(CairoPainter.Placed(picture: picture, x: x, y: height, zoom: zoom))
            x += Int((picture.size.width * zoom).rounded(.up)) + Self.margin
            tallest = max(tallest, Int((picture.size.height * zoom).rounded(.up)))
        }
        width = max(width, x)
        height += tallest + Self.margin
    }

    /// Returns whether the sheet can be drawn with one more row.
    func holds(_ row: [Picture]) -> Bool {
        let height = row.map(\.size.height).max() ?? 0
        let width = row.reduce(Double(Self.margin)) { $0 + ($1.size.width * zoom).rounded(.up) + Double(Self.margin) }
        let all = Double(self.height + Self.captionHeight + Self.margin) + height * zoom
        return max(Double(self.width), width) * all <= Double(CairoPainter.maximumPixels)
    }

    func png(_ renderer: SampleRenderer) throws -> Data {
        try renderer.sheet(pictures, width: width, height: height)
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
