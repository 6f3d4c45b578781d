// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WebServer
import WidgetSchema

/// The bytes of a picture or a layout, shared by all responses.
struct Picture: Sendable {
    let key: PictureKey
    let body: SharedBytes
    /// The palette of a board's PNG that has fewer levels than configured; nil for all other pictures.
    var reducedPalette: PanelPalette?
}

extension RenderFormat {
    var mediaType: String {
        switch self {
        case .png: "image/png"
        case .svg: "image/svg+xml"
        case .layout: "application/json"
        }
    }

    /// Creates the render format for a file extension (`png`, `svg` or `json`); nil for any other extension.
    init?(fileExtension: String) {
        switch fileExtension {
        case "png": self = .png
        case "svg": self = .svg
        case "json": self = .layout
        default: return nil
        }
    }
}
