// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The colours that a panel can show.
///
/// A palette with few colours has pure ones, because panels match pictures to pure colours themselves.
public enum PanelPalette: String, Codable, CaseIterable, Sendable {
    /// All colours.
    case color
    /// Sixteen levels of grey: the multiples of 17.
    case gray16
    /// Four levels of grey: 0, 85, 170 and 255.
    case gray4
    /// Black and white.
    case mono
    /// Black, white and red.
    case bwr
    /// Black, white and yellow.
    case bwy
    /// Black, white, red and yellow.
    case bwry
    /// Black, white, red, yellow, blue and green.
    case color6

    /// The colours as `0xRRGGBB`, black and white first in palettes with hues; greys in ascending order; nil for all colours.
    public var colors: [UInt32]? {
        switch self {
        case .color: nil
        case .gray16: (0..<16).map { $0 * 0x11_1111 }
        case .gray4: (0..<4).map { $0 * 0x55_5555 }
        case .mono: [0x00_0000, 0xFF_FFFF]
        case .bwr: [0x00_0000, 0xFF_FFFF, 0xFF_0000]
        case .bwy: [0x00_0000, 0xFF_FFFF, 0xFF_FF00]
        case .bwry: [0x00_0000, 0xFF_FFFF, 0xFF_0000, 0xFF_FF00]
        case .color6: [0x00_0000, 0xFF_FFFF, 0xFF_0000, 0xFF_FF00, 0x00_00FF, 0x00_FF00]
        }
    }

    /// The palette for a picture of fewer bytes on the same panel; nil if there is none.
    public var withFewerLevels: PanelPalette? {
        switch self {
        case .color: .gray16
        case .gray16: .gray4
        case .gray4, .bwr, .bwy, .bwry, .color6: .mono
        case .mono: nil
        }
    }

    /// A Boolean value that indicates whether the palette consists of levels of grey.
    public var isGray: Bool { self == .mono || self == .gray4 || self == .gray16 }

    /// A Boolean value that indicates whether a panel with this palette has a touch screen unless it is configured otherwise.
    public var isInteractive: Bool { self == .color }
}
