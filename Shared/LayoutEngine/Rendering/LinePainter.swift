// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import WidgetSchema

/// A painter for lines of text with one set of fonts.
///
/// The lock ``FontSet/drawingTurn`` must be held while the painter is created and used, but not while it is released. It
/// must be used only by one thread, because Pango's objects must not be shared.
final class LinePainter {
    private let fonts: FontSet
    private let layout: OpaquePointer
    private let attributes: OpaquePointer

    /// Creates a painter; `isAntialiased` applies only to the look of pixels.
    init(look: TextLook, isAntialiased: Bool = true) {
        fonts = FontSet(for: .drawing, look: look, isAntialiased: isAntialiased)
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

    /// Adapts the fonts to the scale of a drawing: Pango loads fonts for their size in pixels, lengths remain in points.
    func prepare(for cairo: OpaquePointer?) {
        pango_cairo_update_context(cairo, fonts.context)
        pango_layout_context_changed(layout)
    }

    /// Draws a line at `scale` pixels per point in the current colour.
    func draw(_ line: Picture.Line, _ cairo: OpaquePointer?, scale: Double) {
        set(line)
        cairo_move_to(cairo, line.x, line.baseline)
        let shown = pango_layout_get_line_readonly(layout, 0)
        // Cairo's image backend places glyphs at whole pixels (cairo 1.16): at one pixel per point, their spacing is
        // uneven unless their widths are whole pixels. Outlines are placed exactly, but glyphs in colour, such as
        // emoji, have no outlines.
        if fonts.look == .smooth, scale <= Self.outlinedScale, !Self.hasColor(shown) {
            pango_cairo_layout_line_path(cairo, shown)
            cairo_fill(cairo)
        } else {
            pango_cairo_show_layout_line(cairo, shown)
        }
    }

    /// Returns the width of a line as it is drawn, in points.
    func width(of line: Picture.Line) -> Double {
        set(line)
        var extents = PangoRectangle()
        pango_layout_line_get_extents(pango_layout_get_line_readonly(layout, 0), nil, &extents)
        return Double(extents.width) / Double(PANGO_SCALE)
    }

    private func set(_ line: Picture.Line) {
        let font = fonts.font(size: line.font.size, weight: line.font.weight, italic: line.font.italic)
        line.text.withBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                pango_layout_set_text(layout, characters.baseAddress, Int32(clamping: characters.count))
            }
        }
        pango_layout_set_font_description(layout, font.description)
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
}
