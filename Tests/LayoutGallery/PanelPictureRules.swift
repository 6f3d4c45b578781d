// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Foundation
import WidgetSchema

@testable import LayoutEngine

/// A PNG as cairo reads it, with what its header says.
struct PanelPNG {
    let width: Int
    let height: Int
    let bits: Int
    /// The colour type of PNG: 0 for greys, 3 for indices.
    let colorType: Int
    let isInterlaced: Bool
    /// The names of the chunks, in order; several `IDAT` count as one.
    let chunks: [String]
    /// The pixels as `0xAARRGGBB`, row by row.
    let pixels: [UInt32]

    /// Reads a PNG; returns nil if it is none.
    init?(_ png: Data) {
        let bytes = [UInt8](png)
        guard bytes.count > 33, let pixels = Self.pixels(png) else { return nil }
        (bits, colorType, isInterlaced) = (Int(bytes[24]), Int(bytes[25]), bytes[28] != 0)
        var chunks: [String] = []
        var position = 8
        while position + 8 <= bytes.count {
            let length = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
            let name = String(decoding: bytes[(position + 4)..<(position + 8)], as: UTF8.self)
            if chunks.last != name { chunks.append(name) }
            position += 12 + length
        }
        self.chunks = chunks
        (width, height, self.pixels) = (pixels.width, pixels.height, pixels.pixels)
    }

    subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] & 0xFF_FFFF }

    /// The colours that occur, as `0xRRGGBB`.
    var colors: Set<UInt32> { Set(pixels.map { $0 & 0xFF_FFFF }) }

    private struct Source {
        var rest: UnsafeRawBufferPointer
    }

    private static func pixels(_ png: Data) -> (width: Int, height: Int, pixels: [UInt32])? {
        png.withUnsafeBytes { bytes in
            var source = Source(rest: bytes)
            let surface = withUnsafeMutablePointer(to: &source) { source in
                cairo_image_surface_create_from_png_stream(
                    { closure, target, count in
                        let source = closure?.assumingMemoryBound(to: Source.self)
                        guard let source, let target, source.pointee.rest.count >= Int(count) else {
                            return CAIRO_STATUS_READ_ERROR
                        }
                        let part = UnsafeRawBufferPointer(rebasing: source.pointee.rest.prefix(Int(count)))
                        UnsafeMutableRawBufferPointer(start: target, count: Int(count)).copyMemory(from: part)
                        source.pointee.rest = UnsafeRawBufferPointer(
                            rebasing: source.pointee.rest.dropFirst(Int(count))
                        )
                        return CAIRO_STATUS_SUCCESS
                    },
                    source
                )
            }
            defer { cairo_surface_destroy(surface) }
            guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
                let data = cairo_image_surface_get_data(surface)
            else { return nil }
            let width = Int(cairo_image_surface_get_width(surface))
            let height = Int(cairo_image_surface_get_height(surface))
            let stride = Int(cairo_image_surface_get_stride(surface))
            var pixels: [UInt32] = []
            pixels.reserveCapacity(width * height)
            for y in 0..<height {
                for x in 0..<width {
                    pixels.append(
                        UnsafeRawPointer(data).loadUnaligned(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
                    )
                }
            }
            return (width, height, pixels)
        }
    }
}

/// The rules for the picture of a panel with few colours.
enum PanelPictureRules {
    /// The maximum number of bytes of a PNG of 800 × 480 pixels, by its bits per pixel.
    static let maximumBytes = [1: 15_000, 2: 40_000, 4: 70_000, 8: 90_000]
    /// The bytes that a PNG of any size may have in addition, for its header and its colours.
    private static let headerBytes = 500

    /// Returns the problems of a picture and its layout as texts; empty if there are none, or if the panel has all colours.
    static func problems(of png: Data, _ layout: Layout, on panel: Panel) -> [String] {
        guard panel.hasFewColors else { return [] }
        return lineProblems(layout.views) + problems(of: png, Picture(layout, family: .panel, scale: 1, panel: panel))
    }

    /// Returns the problems of the file of a picture as texts; empty if there are none, or if its panel has all colours.
    static func problems(of png: Data, _ picture: Picture) -> [String] {
        guard let panel = picture.panel, let colors = panel.palette.colors else { return [] }
        guard let image = PanelPNG(png) else { return ["cairo cannot read the PNG"] }
        var problems: [String] = []
        let foreign = image.colors.subtracting(colors).sorted()
        if !foreign.isEmpty {
            problems.append("has colours that are not in the palette: \(foreign.map { String($0, radix: 16) })")
        }
        let isDeep = panel.palette.isGray && panel.fileBits == 8
        let bits = isDeep ? 8 : [2: 1, 3: 2, 4: 2, 6: 4, 16: 4][colors.count] ?? 8
        if image.bits != bits { problems.append("has \(image.bits) bits per pixel instead of \(bits)") }
        if image.colorType != (panel.palette.isGray ? 0 : 3) { problems.append("has the type \(image.colorType)") }
        if image.isInterlaced { problems.append("is interlaced") }
        let chunks = ["IHDR"] + (panel.palette.isGray ? [] : ["PLTE"]) + ["IDAT", "IEND"]
        if image.chunks != chunks {
            problems.append("has the chunks \(image.chunks)")
        }
        let (width, height) = picture.pixels
        if (image.width, image.height) != (width, height) {
            problems.append("has \(image.width) × \(image.height) pixels instead of \(width) × \(height)")
        }
        let most = (maximumBytes[bits] ?? 0) * width * height / (800 * 480) + headerBytes
        if png.count > most { problems.append("has \(png.count) bytes, more than \(most)") }
        return problems
    }

    /// Returns the bars, rules and dotted lines that are thinner than a pixel.
    private static func lineProblems(_ views: [LayoutView]) -> [String] {
        views.flatMap { view -> [String] in
            var problems = lineProblems(view.views ?? [])
            switch view.kind {
            case .bar, .badge, .rule, .dots, .divider:
                let thickness = min(view.frame.width, view.frame.height)
                if thickness < 1 { problems.append("a \(view.kind.rawValue) is \(thickness) pixels thick") }
            case .row, .label, .image, .button: break
            }
            if view.image != nil, min(view.frame.width, view.frame.height) < smallestSymbol {
                problems.append("a symbol is smaller than \(smallestSymbol) pixels")
            }
            return problems
        }
    }

    /// The minimum side of a symbol in pixels; smaller ones are blots.
    private static let smallestSymbol = 8.0
}
