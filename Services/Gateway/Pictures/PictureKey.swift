// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The cache key of a picture or a layout: all values that determine its bytes.
struct PictureKey: Hashable, Sendable {
    /// The digest of the layout for the display, before `variant` is applied; for a placeholder, of its
    /// `RenderRequest`.
    var digest: ContentDigest
    /// The version of the layout engine that draws the picture.
    var engine: Int64
    var format: RenderFormat
    var variant = PictureVariant()

    /// The value of the `ETag` header; two pictures with equal values have equal bytes.
    var entityTag: String { "\"\(urlText)\"" }

    /// The key as a text for use in URLs.
    var urlText: String {
        let parts: [String?] = [
            digest.rawValue, "\(engine)", variant.appearance?.rawValue, variant.textSize?.rawValue,
            variant.direction?.rawValue, variant.panel.map { "\($0.width)x\($0.height)x\($0.scale)" },
            format.rawValue,
        ]
        return parts.compactMap(\.self).joined(separator: "-")
    }
}

/// The properties of a picture that replace those of the display.
///
/// If a property is nil, the display's own value is used.
struct PictureVariant: Hashable, Sendable {
    var appearance: Appearance?
    var textSize: ContentSizeCategory?
    var direction: Display.Direction?
    var panel: PanelSize?
}
