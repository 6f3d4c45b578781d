// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// What the bytes of a picture or a layout depend on.
struct PictureKey: Hashable, Sendable {
    /// The layout's digest on the display, in the display's own appearance.
    var digest: ContentDigest
    /// The version of the engine that draws.
    var engine: Int64
    var format: RenderFormat
    /// Nil: the display's own.
    var appearance: Appearance?
    /// Nil: the display's own.
    var panel: PanelSize?

    /// A strong validator: the same tag is the same bytes.
    var entityTag: String { "\"\(name)\"" }

    /// The key as a part of an address.
    var name: String {
        let parts: [String?] = [
            digest.rawValue, "\(engine)", appearance?.rawValue, panel.map { "\($0.width)x\($0.height)x\($0.scale)" },
            format.rawValue,
        ]
        return parts.compactMap(\.self).joined(separator: "-")
    }
}
