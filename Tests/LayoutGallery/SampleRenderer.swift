// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

@testable import LayoutEngine

/// A widget on a display at one time, with its content.
struct WidgetSample: Hashable, Sendable {
    var definition: WidgetDefinition
    /// The content; nil if there is none yet.
    var content: Content?
    var interaction = InteractionState()
    var instant: Instant
    var display: Display
    /// The reason why there is no content, if there is none.
    var failure: FailureCause?
    var staleSince: Instant?
    /// A Boolean value that indicates whether the content is pushed, and not fetched.
    var isPushed = false
}

/// A renderer that lays out, checks and draws widgets as the layout service does, but without a bus.
///
/// The gallery and the tests use this renderer. It must only be used by the thread that created it.
final class SampleRenderer {
    /// The colour behind the pictures of a sheet; both light and dark pictures stand out from it.
    private static let wall = Color(174, 178, 186)

    private let renderer = LayoutRenderer(measurer: TextMeasurer())
    private let painter = CairoPainter()
    private let composer = BoardComposer()

    func layout(of sample: WidgetSample) -> Layout {
        let nothing = ShownContent.none(isRefreshing: false, attemptFailed: sample.failure != nil)
        let shown = sample.content.map { ShownContent.content($0, Self.digest(of: $0)) } ?? nothing
        var moment = WidgetMoment(
            definition: sample.definition,
            interaction: sample.interaction,
            instant: sample.instant
        )
        (moment.failure, moment.staleSince) = (sample.failure, sample.staleSince)
        moment.isPushed = sample.isPushed
        return renderer.draw(DrawingOrder(shown: shown, moment: moment, display: sample.display)).layout
    }

    /// Returns the problems of a sample's layout, in words; empty if there are none.
    func problems(of sample: WidgetSample) -> [String] {
        LayoutCheck(display: sample.display, definition: sample.definition).problems(of: layout(of: sample))
    }

    /// Returns the PNG of a layout at the resolution of the display.
    func png(of layout: Layout, on display: Display) throws -> Data {
        try painter.png(of: Picture(layout, on: display))
    }

    /// Returns the SVG of a layout.
    func svg(of layout: Layout) -> Data {
        SVGWriter.data(of: Picture(layout, family: .panel, scale: 1))
    }

    /// Returns the places of the lines of text in the PNG and in the SVG of a layout.
    ///
    /// Each line has three numbers, in points: the left edge, the baseline and the width.
    func lineBoxes(of layout: Layout, on display: Display) -> (png: [[Double]], svg: [[Double]]) {
        let picture = Picture(layout, family: display.family, scale: 1, panel: display.panel)
        let lines = picture.elements.compactMap { element -> Picture.Line? in
            guard case .line(let line) = element else { return nil }
            return line
        }
        let png = zip(lines, painter.lineWidths(of: picture)).map { [$0.x, $0.baseline, $1] }
        let svg = String(decoding: SVGWriter.data(of: picture), as: UTF8.self).split(separator: "<text").dropFirst().map
        { element in
            ["x", "y", "textLength"].map { name in
                let value = element.firstRange(of: " \(name)=\"").map {
                    element[$0.upperBound...].prefix { $0 != "\"" }
                }
                return value.flatMap { Double($0) } ?? -1
            }
        }
        return (png, svg)
    }

    /// Returns the picture of a board, as the layout service composes it.
    func picture(of board: SampleBoard) -> Picture { composer.picture(request(for: board)) }

    /// Returns the PNG of a board.
    func png(of board: SampleBoard) throws -> Data { try painter.png(of: picture(of: board)) }

    private func request(for board: SampleBoard) -> BoardRequest {
        let cells = board.cells.enumerated().map { index, cell in
            BoardRequest.Cell(cell: index, layout: layout(of: cell.item.sample))
        }
        return BoardRequest(board: board.board, cells: cells, lastChange: board.lastChange)
    }

    /// Returns one PNG, called a sheet, that contains many pictures; later ones are drawn over earlier ones.
    ///
    /// `width` and `height` are the size of the sheet in pixels. With few colours, the zoom should be 1.
    func sheet(_ pictures: [CairoPainter.Placed], width: Int, height: Int) throws -> Data {
        try painter.png(of: pictures, width: width, height: height, background: Self.wall)
    }

    /// Returns a digest that differs for different contents.
    private static func digest(of content: Content) -> ContentDigest {
        let text = (try? WireJSON.encode(content)).map { SHA256.hexDigest(of: $0) }
        return text.flatMap { ContentDigest(rawValue: $0) }
            ?? LayoutDigest.of(Layout(size: Size(width: 0, height: 0), views: []))
    }
}
