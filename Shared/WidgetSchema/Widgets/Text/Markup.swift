// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// Text for XML 1.0 and HTML.
package enum Markup {
    /// Returns a text in which no character has a meaning in an element or, if `quotes` is true, in a quoted attribute.
    ///
    /// Characters that XML does not allow, not even escaped, are removed.
    package static func escaped(_ text: String, quotes: Bool = true) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"" where quotes: result.append(contentsOf: "&quot;".unicodeScalars)
            case "'" where quotes: result.append(contentsOf: "&#39;".unicodeScalars)
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
