// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The values on which the bytes of a picture or a layout depend.
struct PictureKey: Hashable, Sendable {
    /// The layout's digest on the display, as the display has it.
    var digest: ContentDigest
    /// The version of the engine that draws.
    var engine: Int64
    var format: RenderFormat
    var variant = PictureVariant()

    /// A strong validator: the same tag is the same bytes.
    var entityTag: String { "\"\(name)\"" }

    /// The key as a part of an address.
    var name: String {
        let parts: [String?] = [
            digest.rawValue, "\(engine)", variant.appearance?.rawValue, variant.textSize?.rawValue,
            variant.direction?.rawValue, variant.panel.map { "\($0.width)x\($0.height)x\($0.scale)" },
            format.rawValue,
        ]
        return parts.compactMap(\.self).joined(separator: "-")
    }
}

/// The properties that replace those of the display; nil leaves the display's own.
struct PictureVariant: Hashable, Sendable {
    var appearance: Appearance?
    var textSize: ContentSizeCategory?
    var direction: Display.Direction?
    var panel: PanelSize?
}
