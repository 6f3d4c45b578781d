// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPNG
import Foundation

/// A writer for PNG with few colours: grey or indexed, 1 to 8 bits per pixel, not interlaced, without alpha.
///
/// The file has no chunks besides those that it needs, and its bytes depend only on the picture and on zlib's version.
enum PNGWriter {
    /// The level of zlib; level 9 saves 1 % more, and takes three times as long.
    private static let level: Int32 = 7

    /// Returns the PNG of a picture.
    static func data(of image: PaletteImage) throws(RenderingError) -> Data {
        let colors = image.colors.flatMap { color in [16, 8, 0].map { UInt8(color >> $0 & 0xFF) } }
        var picture = tidings_png()
        picture.width = Int32(image.width)
        picture.height = Int32(image.height)
        picture.bits = Int32(image.bits)
        picture.stride = image.stride
        picture.color_count = Int32(image.colors.count)
        picture.level = level
        // Text of few colours is smaller without filters (RFC 2083, section 9.6).
        picture.filters = PNG_FILTER_NONE
        let succeeded = image.rows.withUnsafeBufferPointer { rows in
            colors.withUnsafeBufferPointer { colors in
                picture.rows = rows.baseAddress
                picture.colors = colors.baseAddress
                return tidings_png_encode(&picture) != 0
            }
        }
        defer { free(picture.data) }
        guard succeeded, let bytes = picture.data else {
            let message = withUnsafeBytes(of: &picture.message) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            throw .png(message)
        }
        return Data(bytes: bytes, count: picture.count)
    }
}
