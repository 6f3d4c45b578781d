// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

extension Palette {
    /// Returns the colours of a panel.
    ///
    /// If the panel is inverted, light appearance has the colours of dark appearance, and conversely. All colours of
    /// palettes with few colours belong to the palette: text is black, and so are lines. Only `gray4` and `gray16`
    /// have a grey for secondary marks, with a contrast of at least 7 to 1, because electronic paper is grey itself.
    static func of(_ appearance: Appearance, on panel: Panel) -> Palette {
        let isLight = (appearance == .light) != panel.isInverted
        let (ink, paper) = isLight ? (black, white) : (white, black)
        switch panel.palette {
        case .color: return .of(isLight ? .light : .dark, on: .panel)
        case .gray4, .gray16: return Palette(ink: ink, secondary: isLight ? darkGray : lightGray, tint: ink, paper)
        // Red on white has a contrast of 4 to 1, and yellow 1.1 to 1: too little for text.
        case .mono, .bwr, .bwy, .bwry: return Palette(ink: ink, secondary: ink, tint: ink, paper)
        case .color6: return Palette(ink: ink, secondary: ink, tint: isLight ? blue : ink, paper)
        }
    }

    private init(ink: Color, secondary: Color, tint: Color, _ paper: Color) {
        self.init(
            label: ink,
            secondaryLabel: secondary,
            tint: tint,
            separator: secondary,
            background: paper,
            material: paper,
            veil: paper
        )
    }

    private static let black = Color(0, 0, 0)
    private static let white = Color(255, 255, 255)
    /// A level of grey of both palettes with greys; its contrast with white is 7.5 to 1.
    private static let darkGray = Color(0x55, 0x55, 0x55)
    /// A level of grey of both palettes with greys; its contrast with black is 9 to 1.
    private static let lightGray = Color(0xAA, 0xAA, 0xAA)
    private static let blue = Color(0, 0, 255)
}
