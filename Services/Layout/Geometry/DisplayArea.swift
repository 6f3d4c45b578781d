// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The room that a display gives a widget, with numbers that can be reckoned with whatever the display says.
struct DisplayArea: Hashable, Sendable {
    /// No host is larger; beyond it, fractions of a point would get lost.
    static let maximumLength = 16_384.0
    /// Text keeps this distance to the display's left and right edge, the host's margins included.
    static let textMargin = 16.0

    enum Mode: Hashable, Sendable {
        /// A height given by the host.
        case compact(height: Double)
        case expanded
        /// No modes: the widget has its own "Show more".
        case classic
    }

    let grid: PixelGrid
    let mode: Mode
    let width: Double
    let maximumHeight: Double
    let top: Double
    let bottom: Double
    /// The left and right edge of the rows.
    let left: Double
    let right: Double
    /// The distance of text to the rows' left and right edge.
    let leftTextMargin: Double
    let rightTextMargin: Double

    init(_ display: Display, isRightToLeft: Bool) {
        let grid = PixelGrid(scale: display.scale)
        let width = Self.length(display.width)
        let maximumHeight = Self.length(display.maximumHeight)
        let leading = Self.length(display.insets.leading)
        let trailing = Self.length(display.insets.trailing)
        let leftInset = isRightToLeft ? trailing : leading
        let rightInset = isRightToLeft ? leading : trailing
        self.grid = grid
        self.width = width
        self.maximumHeight = maximumHeight
        top = grid.up(Self.length(display.insets.top))
        bottom = grid.up(Self.length(display.insets.bottom))
        left = min(grid.up(leftInset), grid.down(width))
        right = max(grid.down(width - rightInset), left)
        leftTextMargin = grid.up(max(Self.textMargin - leftInset, 0))
        rightTextMargin = grid.up(max(Self.textMargin - rightInset, 0))
        mode =
            switch (display.family, display.mode) {
            case (.todayClassic, _): .classic
            case (.today, .expanded): .expanded
            // A display of this family without a mode is shown as its small form, which every host has.
            case (.today, .compact), (.today, nil):
                .compact(height: display.compactHeight.map(Self.length) ?? maximumHeight)
            }
    }

    private static func length(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), maximumLength) : 0 }
}
