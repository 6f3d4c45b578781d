// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A model of a panel: its size, its colours and the limits of its firmware.
public struct PanelModel: Hashable, Sendable {
    /// The name in the configuration, such as `trmnl-og`.
    public let name: String
    /// The name in the list of models of TRMNL's servers, such as `og_png`.
    public let listName: String
    /// The width in pixels, as the model is read with ``rotation``.
    public let width: Int
    /// The height in pixels, as the model is read with ``rotation``.
    public let height: Int
    /// The palettes that the model shows, the default first.
    public let palettes: [PanelPalette]
    /// The bits per pixel of a PNG if they differ from those that the palette needs; else nil.
    public let fileBits: Int?
    /// The pixels per inch, relative to 125.
    public let scale: Double
    /// The rotation of the picture that the model needs.
    public let rotation: Panel.Rotation
    /// The maximum number of bytes of a picture.
    public let byteLimit: Int
    /// The reason why there are no pictures for this model; nil if there are.
    public let refusal: String?

    /// The factor by which type is larger than on a panel of 125 pixels per inch, within ``Panel/typeFactors``.
    public var typeFactor: Double { Panel.typeFactor(density: scale * Panel.referenceDensity) }

    /// Returns the width and height of what is read if the picture is turned by `rotation` instead of ``rotation``.
    ///
    /// The size of the picture itself remains.
    public func size(turnedBy rotation: Panel.Rotation) -> (width: Int, height: Int) {
        rotation.swapsSides == self.rotation.swapsSides ? (width, height) : (height, width)
    }

    /// Returns the model with a name of the configuration or of TRMNL's list; nil if there is none.
    public static func named(_ name: String) -> PanelModel? { all.first { $0.name == name || $0.listName == name } }
}

extension Panel {
    /// The density in pixels per inch at which type has the sizes of the ladder.
    public static let referenceDensity = 125.0
    /// The valid densities in pixels per inch.
    public static let densities = 30.0...600.0
    /// The range of ``typeFactor``: text smaller than the ladder loses its strokes at 1 bit.
    public static let typeFactors = 1.0...4.0

    /// Returns the factor of type for a density in pixels per inch.
    public static func typeFactor(density: Double) -> Double {
        min(max(density / referenceDensity, typeFactors.lowerBound), typeFactors.upperBound)
    }
}
