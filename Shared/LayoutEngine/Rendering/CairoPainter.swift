// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
public import Foundation
import Synchronization
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

    private let fonts = FontSet(for: .drawing)
    private let layout: OpaquePointer
    private let attributes: OpaquePointer

    public init() {
        layout = pango_layout_new(fonts.context)
        pango_layout_set_auto_dir(layout, 1)
        pango_layout_set_single_paragraph_mode(layout, 1)
        attributes = FontSet.makeAttributes()
        pango_layout_set_attributes(layout, attributes)
    }

    deinit {
        pango_attr_list_unref(attributes)
        fonts.release(layout)
    }

    /// Returns the PNG of a picture; the area outside round corners is transparent.
    public func png(of picture: Picture) throws(RenderingError) -> Data {
        try png(
            of: [Placed(picture: picture, x: 0, y: 0, zoom: Double(picture.scale))],
            width: picture.pixels.width,
            height: picture.pixels.height,
            background: nil
        )
    }

    /// Returns the width of each line of text in a picture, as this painter draws the line, in points.
    func lineWidths(of picture: Picture) -> [Double] {
        FontSet.drawingTurn.withLock { _ in
            picture.elements.compactMap { element in
                guard case .line(let line) = element else { return nil }
                let font = fonts.font(size: line.font.size, weight: line.font.weight, italic: line.font.italic)
                pango_layout_set_text(layout, line.text, Int32(clamping: line.text.utf8.count))
                pango_layout_set_font_description(layout, font.description)
                var extents = PangoRectangle()
                pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, 0), nil, &extents)
                return Double(extents.width) / Double(PANGO_SCALE)
            }
        }
    }

    /// Returns one PNG, called a sheet, that contains many pictures; `width` and `height` are its size in pixels.
    func png(
        of pictures: [Placed],
        width: Int,
        height: Int,
        background: Color?
    ) throws(RenderingError) -> Data {
        guard width > 0, height > 0, width <= Self.maximumSide, height <= Self.maximumSide,
            width * height <= Self.maximumPixels
        else { throw .tooManyPixels(width: width, height: height) }
        return try FontSet.drawingTurn.withLock { _ throws(RenderingError) in
            try sheet(of: pictures, width: width, height: height, background: background)
        }
    }

    private func sheet(
        of pictures: [Placed],
        width: Int,
        height: Int,
        background: Color?
    ) throws(RenderingError) -> Data {
        let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height))
        defer { cairo_surface_destroy(surface) }
        let cairo = cairo_create(surface)
        defer { cairo_destroy(cairo) }
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
        let status = cairo_status(cairo)
        guard status == CAIRO_STATUS_SUCCESS else { throw .cairo(Self.message(status)) }
        cairo_surface_flush(surface)
        return try Self.encode(surface)
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
        // Pango loads fonts for their size in pixels, so it is told the current scale; lengths remain in points.
        pango_cairo_update_context(cairo, fonts.context)
        pango_layout_context_changed(layout)
        for element in picture.elements {
            switch element {
            case .line(let line):
                draw(line, cairo, scale: scale)
            case .symbol(let art, let frame, let color):
                draw(art, frame, color, cairo)
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

    private func draw(_ line: Picture.Line, _ cairo: OpaquePointer?, scale: Double) {
        let font = fonts.font(size: line.font.size, weight: line.font.weight, italic: line.font.italic)
        line.text.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                pango_layout_set_text(layout, characters.baseAddress, Int32(clamping: characters.count))
            }
        }
        pango_layout_set_font_description(layout, font.description)
        set(line.color, cairo)
        cairo_move_to(cairo, line.x, line.baseline)
        let shown = pango_layout_get_line_readonly(layout, 0)
        // Cairo's image backend places glyphs at whole pixels (cairo 1.16): at one pixel per point, their spacing is
        // uneven. Outlines are placed exactly, but glyphs in colour, such as emoji, have no outlines.
        if scale <= Self.outlinedScale, !Self.hasColor(shown) {
            pango_cairo_layout_line_path(cairo, shown)
            cairo_fill(cairo)
        } else {
            pango_cairo_show_layout_line(cairo, shown)
        }
    }

    /// The maximum resolution at which text is drawn as outlines, in pixels per point.
    ///
    /// Cairo places glyphs at whole pixels, so at a low resolution the distances between letters would be uneven.
    /// Outlines are placed exactly.
    private static let outlinedScale = 1.5

    /// Returns whether a line has glyphs in colour.
    private static func hasColor(_ line: UnsafeMutablePointer<PangoLayoutLine>?) -> Bool {
        var next = line?.pointee.runs
        while let node = next {
            next = node.pointee.next
            guard let run = node.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self),
                let font = run.pointee.item?.pointee.analysis.font, let shaped = pango_font_get_hb_font(font)
            else { continue }
            let face = hb_font_get_face(shaped)
            if hb_ot_color_has_png(face) != 0 || hb_ot_color_has_layers(face) != 0 { return true }
        }
        return false
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
        add(art.lines, cairo)
        cairo_set_line_width(cairo, SymbolArt.lineWidth)
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

    private static func message(_ status: cairo_status_t) -> String { String(cString: cairo_status_to_string(status)) }
}
