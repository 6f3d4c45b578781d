// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import WidgetSchema

/// The appearance of text: its fonts, and the grid on which its glyphs are.
public enum TextLook: Hashable, Sendable, CaseIterable {
    /// Smooth glyphs at exact positions, for screens with many pixels per inch.
    case smooth
    /// Hinted glyphs on whole pixels, for panels with few colours.
    ///
    /// All widths and baselines are whole pixels. Emoji are glyphs in one colour; those that no such font has are left
    /// out.
    case pixels

    /// The look of text on a display: ``pixels`` on panels that cannot show all colours.
    public init(on display: Display) {
        switch display.panel?.palette {
        case nil, .color: self = .smooth
        case .gray16, .gray4, .mono, .bwr, .bwy, .bwry, .color6: self = .pixels
        }
    }
}
