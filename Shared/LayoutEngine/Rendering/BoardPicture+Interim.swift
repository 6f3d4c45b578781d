// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
public import WidgetSchema

/// The layout of one cell of a board, and its frame on the board in pixels.
public struct BoardCellLayout: Hashable, Sendable {
    public var frame: Rectangle
    public var layout: Layout

    public init(frame: Rectangle, layout: Layout) {
        self.frame = frame
        self.layout = layout
    }
}

extension Picture {
    /// Creates the picture of a board from the layouts of its cells; `size` is the size of the board in pixels.
    public init(board cells: [BoardCellLayout], size: Size, panel: Panel, appearance: Appearance = .light) {
        var elements: [Element] = []
        for cell in cells {
            let picture = Picture(cell.layout, family: .panel, scale: 1)
            elements += picture.elements.map { $0.moved(x: cell.frame.x, y: cell.frame.y) }
        }
        self.init(elements, size: size, appearance: appearance)
    }
}

extension Picture.Element {
    fileprivate func moved(x: Double, y: Double) -> Picture.Element {
        func moved(_ frame: Rectangle) -> Rectangle {
            Rectangle(x: frame.x + x, y: frame.y + y, width: frame.width, height: frame.height)
        }
        switch self {
        case .line(var line):
            (line.x, line.baseline) = (line.x + x, line.baseline + y)
            return .line(line)
        case .symbol(let art, let frame, let color): return .symbol(art, in: moved(frame), color)
        case .rectangle(let frame, let color): return .rectangle(moved(frame), color)
        case .dots(let frame, let color): return .dots(moved(frame), color)
        }
    }
}

/// The look of text.
public enum TextLook: Hashable, Sendable {
    case smooth
    case pixels
}

extension TextMeasurer {
    func measure(
        _ text: DisplayText,
        font: LayoutFont,
        width: Double,
        maximumLines: Int,
        look: TextLook
    ) -> [MeasuredLine] { measure(text, font: font, width: width, maximumLines: maximumLines) }
}

extension LocaleFormats {
    /// Returns the time of day, `07:56` or `7:56 AM`.
    func timeOfDay(_ instant: Instant, at place: Place) -> String {
        let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
        let zone = TimeZone(identifier: place.timeZone) ?? .gmt
        return date.formatted(
            Date.FormatStyle(date: .omitted, time: .shortened, locale: Locale(identifier: place.locale), timeZone: zone)
        )
    }
}
