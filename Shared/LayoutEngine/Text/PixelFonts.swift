// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import CPango

/// The configuration of Fontconfig for ``TextLook/pixels``: the system's fonts without those in colour.
///
/// Rules of the machine for hinting and antialiasing are removed, so that every machine with the same fonts draws the
/// same pixels.
enum PixelFonts {
    /// A configuration of Fontconfig.
    // Safe: it is never changed after its creation, so all threads may use it (Fontconfig 2.10.91).
    private struct Configuration: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    /// The family with emoji in one colour, in Debian's package `fonts-symbola`.
    static let emojiFamily = "Symbola"

    private static let rules = """
        <?xml version="1.0"?>
        <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
        <fontconfig>
          <selectfont><rejectfont>
            <pattern><patelt name="color"><bool>true</bool></patelt></pattern>
          </rejectfont></selectfont>
          <match target="pattern">
            <test name="family"><string>emoji</string></test>
            <edit name="family" mode="prepend" binding="strong"><string>\(emojiFamily)</string></edit>
          </match>
          <match target="pattern">
            <edit name="antialias" mode="delete_all"/>
            <edit name="hinting" mode="delete_all"/>
            <edit name="hintstyle" mode="delete_all"/>
            <edit name="autohint" mode="delete_all"/>
            <edit name="rgba" mode="delete_all"/>
            <edit name="lcdfilter" mode="delete_all"/>
          </match>
        </fontconfig>
        """

    private static let configuration = Configuration(pointer: load())

    /// Creates the configuration; returns nil if Fontconfig has none, and then its current one is used.
    ///
    /// It lives as long as the process.
    private static func load() -> OpaquePointer? {
        guard let configuration = FcInitLoadConfig() else { return nil }
        guard FcConfigParseAndLoadFromMemory(configuration, rules, FcBool(1)) != 0,
            FcConfigBuildFonts(configuration) != 0
        else {
            FcConfigDestroy(configuration)
            return nil
        }
        return configuration
    }

    /// Makes a font map use the configuration.
    static func configure(_ fontMap: UnsafeMutablePointer<PangoFontMap>) {
        guard let pointer = configuration.pointer else { return }
        tidings_set_font_configuration(fontMap, pointer)
    }
}
