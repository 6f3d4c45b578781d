// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The background of a widget: its colour and the radius of its corners.
struct Background: Hashable, Sendable {
    let color: Color
    /// The radius of the corners, in points.
    let cornerRadius: Double

    init(_ family: Display.Family, size: Size, palette: Palette) {
        let radius: Double
        switch family {
        case .today:
            // The backgrounds of Today widgets in iOS 10 to 13, measured in screenshots.
            (color, radius) = (palette.material, 13)
        case .todayClassic:
            (color, radius) = (palette.material, 0)
        case .systemSmall, .systemMedium, .systemLarge, .systemExtraLarge:
            // The container's shape differs by device, from 16 to 24 points.
            (color, radius) = (palette.background, 22)
        case .accessoryCircular:
            // The lock screen's wallpaper shines through.
            (color, radius) = (palette.veil, .infinity)
        case .accessoryRectangular, .accessoryInline:
            (color, radius) = (.clear, 0)
        case .panel:
            (color, radius) = (palette.background, 0)
        }
        cornerRadius = min(radius, size.width / 2, size.height / 2)
    }
}
