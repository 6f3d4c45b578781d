// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The properties of a panel, besides those of every display.
///
/// A panel is laid out in its pixels: its ``Display/scale`` is 1.
public struct Panel: Codable, Hashable, Sendable {
    /// The angle by which a picture is turned clockwise before it is sent, because the panel hangs that way.
    public enum Rotation: Int, Codable, CaseIterable, Sendable {
        case none = 0
        case quarter = 90
        case half = 180
        case threeQuarters = 270

        /// A Boolean value that indicates whether the picture is as wide as the layout is high.
        public var swapsSides: Bool { self == .quarter || self == .threeQuarters }
    }

    public var palette: PanelPalette
    /// The rotation of the picture; layouts are not rotated.
    public var rotation: Rotation
    /// A Boolean value that indicates whether black and white are exchanged.
    public var isInverted: Bool
    /// The only valid value of ``fileBits``.
    public static let deepBits = 8
    /// The bits per pixel of a PNG if they differ from those that the palette needs: 8 for greys on Kindles; else nil.
    public var fileBits: Int?
    /// A Boolean value that indicates whether somebody can tap the panel.
    ///
    /// If nobody can, there are no buttons, and links are no part of what is compared.
    public var isInteractive: Bool
    /// The factor by which type is larger than on a panel of 125 pixels per inch.
    public var typeFactor: Double
    /// The place on a board; nil if the panel shows one widget.
    public var cell: BoardCell?

    public init(
        palette: PanelPalette = .color,
        rotation: Rotation = .none,
        isInverted: Bool = false,
        fileBits: Int? = nil,
        isInteractive: Bool? = nil,
        typeFactor: Double = 1,
        cell: BoardCell? = nil
    ) {
        self.palette = palette
        self.rotation = rotation
        self.isInverted = isInverted
        self.fileBits = fileBits
        self.isInteractive = isInteractive ?? palette.isInteractive
        self.typeFactor = typeFactor
        self.cell = cell
    }
}
