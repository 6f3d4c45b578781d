// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango

/// The emoji of texts in the look of pixels: glyphs in one colour, or nothing.
///
/// Fonts in one colour have neither skin tones nor joined emoji, such as families: the first emoji of a joined sequence
/// is shown alone. A value must be used only by the thread that created it.
struct PixelEmoji {
    /// For each emoji that a text contained, a Boolean value that indicates whether a font has it.
    ///
    /// Unicode has fewer than 4,000 emoji, so the dictionary is bounded.
    private var known: [Unicode.Scalar: Bool] = [:]

    /// Returns a text without the emoji that cannot be shown; nil if it has none.
    ///
    /// `context` has the fonts.
    mutating func shown(_ text: DisplayText, in context: OpaquePointer) -> DisplayText? {
        guard Self.mayHaveEmoji(text.string) else { return nil }
        var kept = String.UnicodeScalarView()
        var isJoined = false
        var removed = false
        for scalar in text.string.unicodeScalars {
            if scalar == Self.joiner, kept.last.map(Self.isPartOfEmoji) == true {
                isJoined = true
            } else if isJoined, Self.isPartOfEmoji(scalar) {
                isJoined = false
            } else if scalar == Self.variation, kept.last.map(Self.isEmoji) != true {
                // A digit whose keycap was removed is no emoji.
                isJoined = false
            } else if !Self.isDecoration(scalar), !Self.isEmoji(scalar) || hasGlyph(scalar, in: context) {
                isJoined = false
                kept.append(scalar)
                continue
            }
            removed = true
        }
        return removed ? DisplayText(String(kept)) : nil
    }

    private static let joiner: Unicode.Scalar = "\u{200D}"
    private static let variation: Unicode.Scalar = "\u{FE0F}"

    /// Returns whether a text has bytes of a character from U+2000 on that may be an emoji.
    private static func mayHaveEmoji(_ text: String) -> Bool {
        text.withBytes { bytes in
            for (index, byte) in bytes.enumerated() {
                // The first bytes of U+10000 and higher, of U+2000 to U+2FFF except for general punctuation, and of the
                // enclosing keycap and the variation selector.
                if byte >= 0xF0 { return true }
                guard index + 1 < bytes.count else { break }
                if byte == 0xE2, bytes[index + 1] >= 0x83 { return true }
                if byte == 0xEF, bytes[index + 1] == 0xB8 { return true }
            }
            return false
        }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x2000 && (scalar.properties.isEmoji || scalar.properties.isEmojiPresentation)
    }

    private static func isPartOfEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar == variation || isEmoji(scalar) || isDecoration(scalar)
    }

    /// Returns whether a scalar only changes the emoji before it: a skin tone, a keycap's frame, or a tag of a flag.
    private static func isDecoration(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1F3FB...0x1F3FF, 0x20E3, 0xE0020...0xE007F: true
        default: false
        }
    }

    private mutating func hasGlyph(_ scalar: Unicode.Scalar, in context: OpaquePointer) -> Bool {
        if let known = known[scalar] { return known }
        let description: OpaquePointer = pango_font_description_new()
        defer { pango_font_description_free(description) }
        // Pango itself asks for this family if it finds an emoji (pango 1.50, itemize.c).
        pango_font_description_set_family(description, "emoji")
        pango_font_description_set_absolute_size(description, 16 * Double(PANGO_SCALE))
        let language = pango_context_get_language(context)
        guard
            let fontMap = pango_context_get_font_map(context),
            let fonts = pango_font_map_load_fontset(fontMap, context, description, language)
        else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(fonts)) }
        guard let font = pango_fontset_get_font(fonts, scalar.value) else { return false }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        let hasGlyph = pango_font_has_char(font, scalar.value) != 0
        known[scalar] = hasGlyph
        return hasGlyph
    }
}
