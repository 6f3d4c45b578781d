// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The area of a widget on a display, with the margins of rows and text.
///
/// Invalid lengths of the display, such as negative ones, are replaced by valid ones.
struct DisplayArea: Hashable, Sendable {
    /// The maximum value of any length, such as a width or a margin, in points.
    ///
    /// No display is larger, and all lengths up to this maximum are precise to fractions of a point.
    static let maximumLength = 16_384.0
    /// The distance between text and the display's left and right edges in points, including the host's margins.
    static let textMargin = 16.0
    /// The minimum width for views to be side by side, in points; in a narrower area, they are one below the other.
    static let narrow = 200.0

    enum Mode: Hashable, Sendable {
        /// The widget is in compact mode: the host sets the widget's height to `height`, in points.
        case compact(height: Double)
        case expanded
        /// The host has no compact and expanded mode; the widget shows its own button "Show more".
        case classic
        /// The widget always fills the display; `height` is the height of both, in points.
        case fixed(height: Double)

        var isCompact: Bool { if case .compact = self { true } else { false } }

        /// A Boolean value that indicates whether the content determines the height.
        var isExpanded: Bool {
            switch self {
            case .expanded, .classic: true
            case .compact, .fixed: false
            }
        }
    }

    let grid: PixelGrid
    let mode: Mode
    let width: Double
    let maximumHeight: Double
    let top: Double
    let bottom: Double
    /// The distance from the left edge of the display to the left edge of the rows, in points.
    ///
    /// `right` is the distance from the left edge of the display to the right edge of the rows.
    let left: Double
    let right: Double
    /// The distance between the leading edge of the rows and their text, in points.
    let leadingTextMargin: Double
    let trailingTextMargin: Double

    init(_ display: Display, definition: WidgetDefinition, isRightToLeft: Bool) {
        // Accessory widgets have no space for a kind's own margins. Circles get no margins at all, because their
        // content is centred.
        let own =
            display.family.isAccessory ? InsetsOverride() : definition.kind.widgetLayout.insets(on: display.family)
        let margins =
            display.family == .accessoryCircular
            ? InsetsOverride(top: 0, leading: 0, bottom: 0, trailing: 0) : own.overridden(by: definition.insets)
        let grid = PixelGrid(scale: display.scale)
        let width = Self.length(display.width)
        let maximumHeight = Self.length(display.maximumHeight)
        let leading = Self.length(margins.leading ?? display.insets.leading)
        let trailing = Self.length(margins.trailing ?? display.insets.trailing)
        self.grid = grid
        self.width = width
        self.maximumHeight = maximumHeight
        top = grid.up(Self.length(margins.top ?? display.insets.top))
        bottom = grid.up(Self.length(margins.bottom ?? display.insets.bottom))
        left = min(grid.up(isRightToLeft ? trailing : leading), grid.down(width))
        right = max(grid.down(width - (isRightToLeft ? leading : trailing)), left)
        // If the widget has chosen a margin, its text begins at that margin. Otherwise, text keeps `textMargin` from
        // the edges of the display.
        let textMargin = display.family.isAccessory ? 0 : Self.textMargin
        let isChosen = margins.leading != nil && (leading > 0 || definition.insets?.leading != nil)
        leadingTextMargin = isChosen ? 0 : grid.up(max(textMargin - leading, 0))
        trailingTextMargin = margins.trailing == nil ? grid.up(max(textMargin - trailing, 0)) : 0
        mode =
            switch (display.family, display.mode) {
            case (.todayClassic, _): .classic
            case (let family, _) where family.isFixed: .fixed(height: maximumHeight)
            case (_, .expanded): .expanded
            // A display without a mode is laid out in compact mode, which every host of these families has.
            case (_, .compact), (_, nil):
                .compact(height: display.compactHeight.map(Self.length) ?? maximumHeight)
            }
    }

    /// The width of a row without its leading and trailing text margins, in points.
    var textWidth: Double { max(right - left - leadingTextMargin - trailingTextMargin, 0) }

    var isNarrow: Bool { right - left < Self.narrow }

    /// The height between the upper and the lower margin, in points.
    ///
    /// If the host sets the widget's height, the margins are subtracted from this height, and otherwise from the
    /// display's maximum height.
    var roomHeight: Double {
        let height =
            switch mode {
            case .compact(let height), .fixed(let height): height
            case .expanded, .classic: maximumHeight
            }
        return max(grid.down(height - top - bottom), 0)
    }

    /// A Boolean value that indicates whether content that does not fill the available height is centred vertically.
    ///
    /// The value is false if the content determines the widget's height.
    var centersContent: Bool {
        switch mode {
        case .compact, .fixed: true
        case .expanded, .classic: false
        }
    }

    /// Returns a length limited to the range from 0 to ``maximumLength``; 0 if the value is infinite or not a number.
    static func length(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), maximumLength) : 0 }
}
