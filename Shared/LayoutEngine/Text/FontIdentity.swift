// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango
import Cryptography
public import WidgetSchema

/// The digest of the fonts with which texts are measured: if the digest changes, the width of any text may change.
///
/// The digest is computed from the `head` tables of the text fonts and the emoji fonts. The `head` table of a font
/// contains the font's revision and a checksum of the whole file (OpenType 1.9). Therefore the files need not be read
/// completely, and the digest does not depend on their paths.
public enum FontIdentity {
    /// Returns the digest; nil if none of the fonts can be loaded.
    public static func digest() -> ContentDigest? {
        guard let fontMap = pango_ft2_font_map_new() else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(fontMap)) }
        guard let context = pango_font_map_create_context(fontMap) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        var tables: [UInt8] = []
        for family in FontSet.families.split(separator: ",").map(String.init) + [
            "Noto Color Emoji", PixelFonts.emojiFamily,
        ] {
            for weight in [PANGO_WEIGHT_NORMAL, PANGO_WEIGHT_SEMIBOLD, PANGO_WEIGHT_BOLD] {
                for style in [PANGO_STYLE_NORMAL, PANGO_STYLE_ITALIC] {
                    tables += head(of: family, weight, style, in: context)
                }
            }
        }
        return tables.isEmpty ? nil : ContentDigest(rawValue: SHA256.hexDigest(of: tables))
    }

    private static func head(
        of family: String,
        _ weight: PangoWeight,
        _ style: PangoStyle,
        in context: OpaquePointer
    ) -> [UInt8] {
        guard let description = pango_font_description_new() else { return [] }
        defer { pango_font_description_free(description) }
        pango_font_description_set_family(description, family)
        pango_font_description_set_weight(description, weight)
        pango_font_description_set_style(description, style)
        pango_font_description_set_absolute_size(description, 16 * Double(PANGO_SCALE))
        guard let font = pango_context_load_font(context, description) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        guard let shaped = pango_font_get_hb_font(font) else { return [] }
        // The tag `head`, big-endian as OpenType has it.
        let table = hb_face_reference_table(hb_font_get_face(shaped), 0x6865_6164)
        defer { hb_blob_destroy(table) }
        var length: UInt32 = 0
        guard let bytes = hb_blob_get_data(table, &length) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: Int(length)))
    }
}
