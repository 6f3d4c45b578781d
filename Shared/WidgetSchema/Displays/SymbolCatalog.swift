// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The names of the symbols that renderers can draw; they are names of Apple's SF Symbols.
public enum SymbolCatalog {
    /// Returns whether renderers can draw a symbol for this name.
    ///
    /// If no symbol has this name, the last parts of the name are left out: `folder.badge.plus` is drawn as `folder`.
    public static func draws(_ name: String) -> Bool {
        var parts = name.split(separator: ".")
        while !parts.isEmpty {
            if known.contains(parts.joined(separator: ".")) { return true }
            parts.removeLast()
        }
        return false
    }

    private static let known = Set(names)

    /// The names of all symbols that have a picture of their own, in alphabetical order.
    public static let names = [
        "arrow.clockwise", "arrow.down", "arrow.right", "arrow.up", "bell", "bolt", "book", "bookmark", "calendar",
        "camera", "cart", "chart.bar", "checkmark", "checkmark.circle", "chevron.down", "chevron.right",
        "chevron.up", "clock", "cloud", "cloud.bolt", "cloud.bolt.rain", "cloud.drizzle", "cloud.fog", "cloud.hail",
        "cloud.heavyrain", "cloud.rain", "cloud.sleet", "cloud.snow", "cloud.sun", "cloud.sun.rain", "doc",
        "doc.on.doc", "doc.richtext", "doc.text", "doc.viewfinder", "drop", "ellipsis", "envelope",
        "exclamationmark.circle", "exclamationmark.triangle", "flag", "folder", "gearshape", "globe", "hammer",
        "heart", "house", "info", "info.circle", "link", "list.bullet", "location", "magnifyingglass", "map",
        "mappin", "mic", "minus", "moon", "moon.stars", "music.note", "newspaper", "note", "paperplane", "pause",
        "pencil", "person", "phone", "photo", "play", "plus", "plus.circle", "qrcode", "questionmark",
        "questionmark.circle", "quote.opening", "snowflake", "square.and.arrow.up", "square.and.pencil", "star",
        "sun.max", "tablecells", "tag", "thermometer", "trash", "tray", "video", "viewfinder", "wind", "xmark",
        "xmark.circle",
    ]
}
