// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Foundation
import Testing

@testable import LayoutEngine

/// The pixels of a PNG, as cairo reads it.
struct PixelImage {
    /// With opaque colours as they are, others multiplied by their opacity.
    struct Pixel: Hashable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
        var opacity: UInt8
    }

    let width: Int
    let height: Int
    private let pixels: [Pixel]

    init(png: Data) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tidings-\(UUID().uuidString).png")
        try png.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let surface = cairo_image_surface_create_from_png(file.path())
        defer { cairo_surface_destroy(surface) }
        try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS)
        width = Int(cairo_image_surface_get_width(surface))
        height = Int(cairo_image_surface_get_height(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = try #require(cairo_image_surface_get_data(surface))
        var pixels: [Pixel] = []
        for y in 0..<height {
            for x in 0..<width {
                // ARGB32 is one number in the machine's order.
                let value = UnsafeRawPointer(data).loadUnaligned(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
                pixels.append(
                    Pixel(
                        red: UInt8(value >> 16 & 0xFF),
                        green: UInt8(value >> 8 & 0xFF),
                        blue: UInt8(value & 0xFF),
                        opacity: UInt8(value >> 24)
                    )
                )
            }
        }
        self.pixels = pixels
    }

    subscript(x: Int, y: Int) -> Pixel { pixels[y * width + x] }

    /// Returns the smallest rectangle around all pixels that differ from `ground`, in pixels; nil if none does.
    ///
    /// `right` and `bottom` are not in the rectangle.
    func ink(on ground: Pixel) -> (left: Int, top: Int, right: Int, bottom: Int)? {
        var box: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<height {
            for x in 0..<width where self[x, y] != ground {
                let old = box ?? (x, y, x + 1, y + 1)
                box = (min(old.left, x), min(old.top, y), max(old.right, x + 1), max(old.bottom, y + 1))
            }
        }
        return box
    }
}

extension PixelImage.Pixel {
    init(_ color: Color) { self.init(red: color.red, green: color.green, blue: color.blue, opacity: 255) }
}
