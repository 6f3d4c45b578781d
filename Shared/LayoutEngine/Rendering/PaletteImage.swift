// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// A picture whose pixels are levels of grey or indices of colours, packed in rows.
struct PaletteImage: Hashable, Sendable {
    let width: Int
    let height: Int
    /// The bits per pixel: 1, 2, 4 or 8.
    let bits: Int
    /// The colours as `0xRRGGBB`; empty for levels of grey.
    let colors: [UInt32]
    /// The number of bytes of a row.
    let stride: Int
    /// The rows, with the leftmost pixel of a byte in its highest bits.
    let rows: [UInt8]

    /// Creates a picture from the pixels of a drawing.
    ///
    /// Each pixel becomes the nearest level of the panel's palette. `pixels` are `0xRRGGBB` in rows of
    /// `pixelsPerRow`, of which the first `width` belong to the picture.
    ///
    /// Returns nil if the palette has all colours.
    init?(_ pixels: UnsafeBufferPointer<UInt32>, width: Int, height: Int, pixelsPerRow: Int, panel: Panel) {
        guard let colors = panel.palette.colors else { return nil }
        let isGray = panel.palette.isGray
        let bits = isGray && panel.fileBits == Panel.deepBits ? Panel.deepBits : Self.bits(for: colors.count)
        // The pixels of a grey file are levels: with 8 bits, the level itself, otherwise its index.
        let isDeep = bits == 8
        let values = colors.indices.map { isDeep ? UInt8(truncatingIfNeeded: colors[$0] & 0xFF) : UInt8($0) }
        let index = NearestColor(colors, isGray: isGray)
        let swaps = panel.rotation.swapsSides
        let (outerWidth, outerHeight) = swaps ? (height, width) : (width, height)
        let stride = (outerWidth * bits + 7) / 8
        var rows = [UInt8](repeating: 0, count: stride * outerHeight)
        // The source of the pixel at the top left corner, and its steps to the right and down.
        let (start, right, down) =
            switch panel.rotation {
            case .none: (0, 1, pixelsPerRow)
            case .quarter: ((height - 1) * pixelsPerRow, -pixelsPerRow, 1)
            case .half: ((height - 1) * pixelsPerRow + width - 1, -1, -pixelsPerRow)
            case .threeQuarters: (width - 1, pixelsPerRow, -1)
            }
        rows.withUnsafeMutableBufferPointer { rows in
            var lastPixel: UInt32 = 0xFFFF_FFFF
            var value: UInt8 = 0
            for y in 0..<outerHeight {
                var source = start + y * down
                var target = y * stride
                var byte: UInt8 = 0
                var free = 8
                for _ in 0..<outerWidth {
                    let pixel = pixels[source] & 0xFF_FFFF
                    if pixel != lastPixel {
                        lastPixel = pixel
                        value = values[index.of(pixel)]
                    }
                    source += right
                    free -= bits
                    byte |= value << UInt8(free)
                    if free == 0 {
                        rows[target] = byte
                        target += 1
                        (byte, free) = (0, 8)
                    }
                }
                if free < 8 { rows[target] = byte }
            }
        }
        self.width = outerWidth
        self.height = outerHeight
        self.bits = bits
        self.colors = isGray ? [] : colors
        self.stride = stride
        self.rows = rows
    }

    /// Returns the smallest number of bits per pixel that PNG allows for a number of colours, 1 to 16.
    private static func bits(for count: Int) -> Int {
        switch count {
        case ...2: 1
        case ...4: 2
        default: 4
        }
    }
}

/// A search for the colour of a palette that is nearest to a pixel.
private struct NearestColor {
    private let colors: [UInt32]
    private let isGray: Bool

    init(_ colors: [UInt32], isGray: Bool) {
        self.colors = colors
        self.isGray = isGray
    }

    func of(_ pixel: UInt32) -> Int {
        if isGray {
            // Drawings in greys have equal channels, and the levels of a palette have equal distances.
            return (Int(pixel >> 8 & 0xFF) * (colors.count - 1) + 127) / 255
        }
        var (nearest, distance) = (0, Int.max)
        for (index, color) in colors.enumerated() {
            let other = Self.distance(pixel, color)
            if other < distance { (nearest, distance) = (index, other) }
        }
        return nearest
    }

    private static func distance(_ left: UInt32, _ right: UInt32) -> Int {
        [16, 8, 0].reduce(0) { sum, shift in
            let difference = Int(left >> UInt32(shift) & 0xFF) - Int(right >> UInt32(shift) & 0xFF)
            return sum + difference * difference
        }
    }
}
