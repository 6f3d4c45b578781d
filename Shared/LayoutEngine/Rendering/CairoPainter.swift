// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
public import Foundation
import Locking
import WidgetSchema

/// A painter that renders pictures as PNG at the resolution of their display.
///
/// Text is drawn with the fonts with which it was measured. A painter must be used only by the thread that created it,
/// because Pango's objects must not be shared.
public final class CairoPainter {
    /// The maximum number of pixels of one PNG.
    ///
    /// A pixel has four bytes, so the surface for drawing has at most 64 MiB.
    public static let maximumPixels = 16 * 1024 * 1024
    /// The maximum width and height of a surface in cairo, in pixels.
    public static let maximumSide = 32_767

    /// A picture with its place on a sheet, in pixels.
    ///
    /// A sheet is a PNG that contains many pictures.
    struct Placed {
        var picture: Picture
        var x: Int
        var y: Int
        /// The number of pixels per point.
        var zoom: Double
    }

    /// The painters of text, which are created when a picture first needs them.
    private lazy var smoothLines = LinePainter(look: .smooth)
    private lazy var sharpLines = LinePainter(look: .pixels, isAntialiased: false)
    private lazy var grayLines = LinePainter(look: .pixels)

    public init() {}

    /// Returns the PNG of a picture; the area outside round corners is transparent.
    ///
    /// The PNG for a panel with few colours has exactly these, at 1, 2 or 4 bits per pixel, or 8 if the panel says so.
    public func png(of picture: Picture) throws(RenderingError) -> Data {
        let (width, height) = picture.uprightPixels
        let placed = Placed(picture: picture, x: 0, y: 0, zoom: Double(picture.scale))
        guard let panel = picture.panel, panel.hasFewColors || panel.rotation != .none else {
            return try png(of: [placed], width: width, height: height, background: nil)
        }
        return try withSheet(of: [placed], width: width, height: height, background: nil) {
            surface throws(RenderingError) in
            guard panel.hasFewColors else { return try Self.encode(rotating: surface, panel.rotation) }
            guard let image = Self.image(of: surface, panel) else { throw .cairo("the surface has no pixels") }
            return try PNGWriter.data(of: image)
        }
    }

    /// Returns the width of each line of text in a picture, as this painter draws the line, in points.
    func lineWidths(of picture: Picture) -> [Double] {
        FontSet.drawingTurn.withLock { _ in
            let painter = lines(of: picture)
            return picture.elements.compactMap { element in
                guard case .line(let line) = element else { return nil }
                return painter.width(of: line)
            }
        }
    }

    /// Returns the painter of a picture's text; greys have antialiased glyphs, all other palettes sharp ones.
    private func lines(of picture: Picture) -> LinePainter {
        guard let panel = picture.panel, panel.hasFewColors else { return smoothLines }
        return panel.isAntialiased ? grayLines : sharpLines
    }

    /// Returns one PNG, called a sheet, that contains many pictures; `width` and `height` are its size in pixels.
    func png(
        of pictures: [Placed],
        width: Int,
        height: Int,
        background: Color?
    ) throws(RenderingError) -> Data {
        try withSheet(of: pictures, width: width, height: height, background: background) {
            surface throws(RenderingError) in try Self.encode(surface)
        }
    }

    /// Draws a sheet and returns the result of `body` for its surface.
    private func withSheet(
        of pictures: [Placed],
        width: Int,
        height: Int,
        background: Color?,
        _ body: (OpaquePointer?) throws(RenderingError) -> Data
    ) throws(RenderingError) -> Data {
        guard width > 0, height > 0, width <= Self.maximumSide, height <= Self.maximumSide,
            width * height <= Self.maximumPixels
        else { throw .tooManyPixels(width: width, height: height) }
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        defer { cairo_destroy(cairo) }
        // Only drawing needs the lock: other threads may draw while this one encodes.
        let status = FontSet.drawingTurn.withLock { _ in
            if let background {
                set(background, cairo)
                cairo_paint(cairo)
            }
            for placed in pictures {
                cairo_save(cairo)
                cairo_translate(cairo, Double(placed.x), Double(placed.y))
                cairo_scale(cairo, placed.zoom, placed.zoom)
                draw(placed.picture, cairo)
                cairo_restore(cairo)
            }
            return cairo_status(cairo)
        }
        guard status == CAIRO_STATUS_SUCCESS else { throw .cairo(Self.message(status)) }
        cairo_surface_flush(surface)
        return try body(surface)
    }

    // MARK: Elements

    private func draw(_ picture: Picture, _ cairo: OpaquePointer?) {
        // The current scale in pixels per point.
        var matrix = cairo_matrix_t()
        cairo_get_matrix(cairo, &matrix)
        let scale = matrix.xx
        set(picture.background.color, cairo)
        let size = picture.size
        if picture.background.cornerRadius > 0 {
            let frame = Rectangle(x: 0, y: 0, width: size.width, height: size.height)
            add(.box(frame, radius: picture.background.cornerRadius), cairo)
        } else {
            cairo_rectangle(cairo, 0, 0, size.width, size.height)
        }
        cairo_fill(cairo)
        let isSharp = picture.panel.map { $0.hasFewColors && !$0.isAntialiased } ?? false
        if isSharp { cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE) }
        let lines = self.lines(of: picture)
        lines.prepare(for: cairo)
        for element in picture.elements {
            switch element {
            case .line(let line):
                set(line.color, cairo)
                lines.draw(line, cairo, scale: scale)
            case .symbol(let art, let frame, let color):
                draw(art, frame, color, cairo)
            case .pixelSymbol(let symbol, let color):
                set(color, cairo)
                add(symbol.areas, cairo)
                cairo_fill(cairo)
                for line in symbol.strokes { stroke(line.path, width: line.width, cairo) }
            case .rectangle(let frame, let color):
                set(color, cairo)
                cairo_rectangle(cairo, frame.x, frame.y, frame.width, frame.height)
                cairo_fill(cairo)
            case .dots(let frame, let color):
                set(color, cairo)
                for dot in frame.dots { cairo_rectangle(cairo, dot.x, dot.y, dot.width, dot.height) }
                cairo_fill(cairo)
            }
        }
    }

    private func draw(_ art: SymbolArt, _ frame: Rectangle, _ color: Color, _ cairo: OpaquePointer?) {
        let scale = min(frame.width, frame.height) / SymbolArt.side
        guard scale > 0 else { return }
        cairo_save(cairo)
        defer { cairo_restore(cairo) }
        cairo_translate(cairo, frame.x, frame.y)
        cairo_scale(cairo, scale, scale)
        set(color, cairo)
        add(art.areas, cairo)
        cairo_fill(cairo)
        stroke(art.lines, width: SymbolArt.lineWidth, cairo)
    }

    private func stroke(_ path: VectorPath, width: Double, _ cairo: OpaquePointer?) {
        add(path, cairo)
        cairo_set_line_width(cairo, width)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        cairo_stroke(cairo)
    }

    private func add(_ path: VectorPath, _ cairo: OpaquePointer?) {
        for segment in path.segments {
            switch segment {
            case .move(let point): cairo_move_to(cairo, point.x, point.y)
            case .line(let point): cairo_line_to(cairo, point.x, point.y)
            case .curve(let first, let second, let end):
                cairo_curve_to(cairo, first.x, first.y, second.x, second.y, end.x, end.y)
            case .close: cairo_close_path(cairo)
            }
        }
    }

    private func set(_ color: Color, _ cairo: OpaquePointer?) {
        cairo_set_source_rgba(
            cairo,
            Double(color.red) / 255,
            Double(color.green) / 255,
            Double(color.blue) / 255,
            color.opacity
        )
    }

    // MARK: PNG

    private static func encode(_ surface: OpaquePointer?) throws(RenderingError) -> Data {
        var bytes = Data()
        let status = withUnsafeMutablePointer(to: &bytes) { bytes in
            cairo_surface_write_to_png_stream(
                surface,
                { closure, chunk, count in
                    guard let closure, let chunk else { return CAIRO_STATUS_WRITE_ERROR }
                    closure.assumingMemoryBound(to: Data.self).pointee.append(chunk, count: Int(count))
                    return CAIRO_STATUS_SUCCESS
                },
                bytes
            )
        }
        guard status == CAIRO_STATUS_SUCCESS else { throw .cairo(message(status)) }
        return bytes
    }

    /// Returns the PNG of a surface that is turned clockwise, with all colours.
    private static func encode(
        rotating surface: OpaquePointer?,
        _ rotation: Panel.Rotation
    ) throws(RenderingError) -> Data {
        let (width, height) = (cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface))
        let (w, h) = (Double(width), Double(height))
        let swaps = rotation.swapsSides
        let turned = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, swaps ? height : width, swaps ? width : height)
        defer { cairo_surface_destroy(turned) }
        let cairo = cairo_create(turned)
        defer { cairo_destroy(cairo) }
        // Whole numbers in place of `cairo_rotate`: each pixel is copied exactly.
        var matrix =
            switch rotation {
            case .none: cairo_matrix_t(xx: 1, yx: 0, xy: 0, yy: 1, x0: 0, y0: 0)
            case .quarter: cairo_matrix_t(xx: 0, yx: 1, xy: -1, yy: 0, x0: h, y0: 0)
            case .half: cairo_matrix_t(xx: -1, yx: 0, xy: 0, yy: -1, x0: w, y0: h)
            case .threeQuarters: cairo_matrix_t(xx: 0, yx: -1, xy: 1, yy: 0, x0: 0, y0: w)
            }
        cairo_set_matrix(cairo, &matrix)
        cairo_set_source_surface(cairo, surface, 0, 0)
        cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST)
        cairo_paint(cairo)
        cairo_surface_flush(turned)
        let status = cairo_status(cairo)
        guard status == CAIRO_STATUS_SUCCESS else { throw .cairo(message(status)) }
        return try encode(turned)
    }

    /// Returns the pixels of a surface in the colours of a panel; nil if the surface has no pixels.
    private static func image(of surface: OpaquePointer?, _ panel: Panel) -> PaletteImage? {
        let width = Int(cairo_image_surface_get_width(surface))
        let height = Int(cairo_image_surface_get_height(surface))
        let pixelsPerRow = Int(cairo_image_surface_get_stride(surface)) / MemoryLayout<UInt32>.stride
        guard let data = cairo_image_surface_get_data(surface) else { return nil }
        return data.withMemoryRebound(to: UInt32.self, capacity: pixelsPerRow * height) { pixels in
            PaletteImage(
                UnsafeBufferPointer(start: pixels, count: pixelsPerRow * height),
                width: width,
                height: height,
                pixelsPerRow: pixelsPerRow,
                panel: panel
            )
        }
    }

    private static func message(_ status: cairo_status_t) -> String { String(cString: cairo_status_to_string(status)) }
}
