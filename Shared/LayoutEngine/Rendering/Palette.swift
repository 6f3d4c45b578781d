// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A colour in sRGB with its opacity.
struct Color: Hashable, Sendable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8
    let opacity: Double

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, opacity: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = opacity
    }

    /// The transparent colour.
    static let clear = Color(0, 0, 0, opacity: 0)

    /// The colour in the form `#007aff`, without the opacity.
    var hex: String {
        "#"
            + [red, green, blue].map { value in
                let digits = String(value, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }
}

/// The colours of widgets: Apple's system colours of iOS 13 to 18, with more contrast for secondary labels.
///
/// The colours are `UIColor.label`, `.secondaryLabel`, `.separator`, `.systemBlue`, `.systemBackground` and
/// `.secondarySystemBackground`, with the values that UIKit returns at run time (Human Interface Guidelines, "Color").
///
/// Apple's light secondary label has a contrast of 3.3 to 1. Here, the contrast is at least 4.5 to 1 (WCAG 2.2, 1.4.3).
/// On panels, it is at least 7 to 1 (1.4.6), because electronic paper is grey and has few shades.
struct Palette: Hashable, Sendable {
    let label: Color
    private(set) var secondaryLabel: Color
    let tint: Color
    let separator: Color
    /// The background of home-screen widgets and panels.
    let background: Color
    /// The colour that replaces the blurred wallpaper behind Today widgets.
    let material: Color
    /// The background of round widgets on the lock screen, which replaces Apple's `AccessoryWidgetBackground`.
    let veil: Color

    static func of(_ appearance: Appearance, on family: Display.Family = .today) -> Palette {
        var palette =
            switch appearance {
            case .light: light
            case .dark: dark
            }
        guard family == .panel else { return palette }
        let secondary = palette.secondaryLabel
        palette.secondaryLabel = Color(secondary.red, secondary.green, secondary.blue, opacity: opacityOnPanels)
        return palette
    }

    private static let opacityOnPanels = 0.9

    private static let light = Palette(
        label: Color(0, 0, 0),
        secondaryLabel: Color(60, 60, 67, opacity: 0.75),
        tint: Color(0, 122, 255),
        separator: Color(60, 60, 67, opacity: 0.29),
        background: Color(255, 255, 255),
        material: Color(242, 242, 247),
        veil: Color(255, 255, 255, opacity: 0.4)
    )

    private static let dark = Palette(
        label: Color(255, 255, 255),
        secondaryLabel: Color(235, 235, 245, opacity: 0.6),
        tint: Color(10, 132, 255),
        separator: Color(84, 84, 88, opacity: 0.6),
        background: Color(28, 28, 30),
        material: Color(44, 44, 46),
        veil: Color(0, 0, 0, opacity: 0.4)
    )

    func color(_ role: LayoutText.ColorRole) -> Color {
        switch role {
        case .label: label
        case .secondaryLabel: secondaryLabel
        case .tint: tint
        case .inverse: background
        }
    }
}
