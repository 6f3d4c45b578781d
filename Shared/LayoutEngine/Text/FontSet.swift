// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Locking
import WidgetSchema

/// Pango's fonts with the same settings for measuring and drawing.
///
/// In the smooth look, Inter replaces the fonts of Apple's platforms, so widths are estimates for those hosts; hinting
/// and glyph rounding are off. In the look of pixels, Noto Sans keeps its strokes at 13 to 16 pixels, where those of Inter
/// and DejaVu Sans get lost; glyphs have their full hinting, and positions are whole pixels. The environment's language
/// and resolution are ignored: equal text has equal lines on every machine with these fonts. A font set must be used only by the thread that created it, because Pango's objects must not be shared.
public final class FontSet {
    /// The purpose of a font set; glyphs, and therefore lines and their widths, are equal for both purposes.
    enum Purpose {
        /// The set is for measuring: it uses FreeType without cairo, so threads with separate sets can measure
        /// concurrently.
        ///
        /// Widths are unreliable for characters that no font has: if several threads measure, the replacement glyph
        /// sometimes has no width (Pango 1.50).
        case measuring
        /// The set is for drawing: it uses cairo, whose fonts are shared by all sets of a process.
        ///
        /// The lock ``FontSet/drawingTurn`` must be held while the set is used. Otherwise, cairo may close font files
        /// that another thread is about to use (cairo 1.16, `_cairo_ft_unscaled_font_lock_face`).
        case drawing
    }

    /// The lock that must be held while a font set for drawing is used.
    static let drawingTurn = Lock<Void>(())

    let purpose: Purpose
    let look: TextLook
    /// The font families of the smooth look: Inter first, then fonts for other scripts; Fontconfig finds fonts for the remaining
    /// characters.
    ///
    /// No font for emoji is named, because Pango 1.50 would also use it for digits. Fontconfig finds an emoji font even
    /// if none is named.
    public static let families = "Inter, " + pixelFamilies

    private static let pixelFamilies =
        "Noto Sans, Noto Sans Arabic UI, Noto Sans Hebrew, Noto Sans Devanagari UI, Noto Sans Tamil UI, "
        + "Noto Sans Thai UI, Noto Sans CJK JP, DejaVu Sans"

    /// Returns the font families of a look, separated by commas.
    static func families(in look: TextLook) -> String {
        switch look {
        case .smooth: families
        case .pixels: pixelFamilies
        }
    }

    /// A font with its vertical metrics in points.
    struct Font {
        let description: OpaquePointer
        let ascent: Double
        let descent: Double

        /// Returns the distance from the top of a text to its first baseline; a whole number in the look of pixels.
        func baseline(leading: Double, look: TextLook) -> Double {
            let baseline = (leading - ascent - descent) / 2 + ascent
            return look == .pixels ? baseline.rounded() : baseline
        }
    }

    private struct Key: Hashable {
        let size: Double
        let weight: LayoutFont.Weight
        let italic: Bool
    }

    /// The Pango context; valid until this object is deinitialised.
    let context: OpaquePointer
    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private var fonts: [Key: Font] = [:]

    /// Creates a font set.
    ///
    /// `isAntialiased` applies only to drawing in the look of pixels.
    init(for purpose: Purpose, look: TextLook = .smooth, isAntialiased: Bool = true) {
        self.purpose = purpose
        self.look = look
        let isSmooth = look == .smooth
        switch purpose {
        case .measuring:
            fontMap = pango_ft2_font_map_new()
            if !isSmooth { PixelFonts.configure(fontMap) }
            context = pango_font_map_create_context(fontMap)
        case .drawing:
            fontMap = pango_cairo_font_map_new()
            if !isSmooth { PixelFonts.configure(fontMap) }
            context = pango_font_map_create_context(fontMap)
            let options = cairo_font_options_create()
            cairo_font_options_set_hint_style(options, isSmooth ? CAIRO_HINT_STYLE_NONE : CAIRO_HINT_STYLE_FULL)
            cairo_font_options_set_hint_metrics(options, isSmooth ? CAIRO_HINT_METRICS_OFF : CAIRO_HINT_METRICS_ON)
            cairo_font_options_set_antialias(
                options,
                isSmooth || isAntialiased ? CAIRO_ANTIALIAS_GRAY : CAIRO_ANTIALIAS_NONE
            )
            pango_cairo_context_set_font_options(context, options)
            cairo_font_options_destroy(options)
        }
        pango_context_set_round_glyph_positions(context, isSmooth ? 0 : 1)
        pango_context_set_language(context, pango_language_from_string("en"))
        pango_context_set_base_dir(context, PANGO_DIRECTION_LTR)
    }

    /// A Boolean value that indicates whether the caller holds ``drawingTurn`` while it releases the set.
    var isReleasedInTurn = false

    deinit { inTurn { free() } }

    /// Releases a Pango layout, which may hold the last reference to a font of this set.
    func release(_ layout: OpaquePointer) { inTurn { g_object_unref(UnsafeMutableRawPointer(layout)) } }

    private func inTurn(_ body: () -> Void) {
        switch purpose {
        case .drawing where !isReleasedInTurn: Self.drawingTurn.withLock { _ in body() }
        case .drawing, .measuring: body()
        }
    }

    private func free() {
        for font in fonts.values { pango_font_description_free(font.description) }
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fontMap))
    }

    /// Returns attributes that prevent hyphens at line breaks.
    ///
    /// The caller releases them with `pango_attr_list_unref`.
    static func makeAttributes() -> OpaquePointer {
        let attributes: OpaquePointer = pango_attr_list_new()
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        return attributes
    }

    /// Returns the font with these properties; `size` is in points.
    ///
    /// The font set keeps every font for later calls and removes none, because there are few styles and text sizes.
    func font(size: Double, weight: LayoutFont.Weight, italic: Bool) -> Font {
        let key = Key(size: size, weight: weight, italic: italic)
        if let font = fonts[key] { return font }
        let description: OpaquePointer = pango_font_description_new()
        pango_font_description_set_family(description, Self.families(in: look))
        pango_font_description_set_weight(description, Self.weight(weight))
        if italic { pango_font_description_set_style(description, PANGO_STYLE_ITALIC) }
        pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
        let metrics = pango_context_get_metrics(context, description, nil)
        defer { pango_font_metrics_unref(metrics) }
        var (ascent, descent) = (pango_font_metrics_get_ascent(metrics), pango_font_metrics_get_descent(metrics))
        if look == .pixels, let own = unhintedMetrics(of: description) { (ascent, descent) = own }
        let font = Font(
            description: description,
            ascent: Double(ascent) / Double(PANGO_SCALE),
            descent: Double(descent) / Double(PANGO_SCALE)
        )
        fonts[key] = font
        return font
    }

    /// Returns the ascent and the descent in the font's file, in Pango units, which are equal for both purposes.
    ///
    /// In the look of pixels, cairo rounds its metrics, and FreeType's font map does not.
    private func unhintedMetrics(of description: OpaquePointer) -> (Int32, Int32)? {
        guard let font = pango_context_load_font(context, description) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        var extents = hb_font_extents_t()
        guard let shaped = pango_font_get_hb_font(font), hb_font_get_h_extents(shaped, &extents) != 0 else {
            return nil
        }
        return (extents.ascender, -extents.descender)
    }

    private static func weight(_ weight: LayoutFont.Weight) -> PangoWeight {
        switch weight {
        case .regular: PANGO_WEIGHT_NORMAL
        case .semibold: PANGO_WEIGHT_SEMIBOLD
        case .bold: PANGO_WEIGHT_BOLD
        }
    }
}
