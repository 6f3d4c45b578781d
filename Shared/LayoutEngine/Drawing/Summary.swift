// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A summary of a widget in one line of limited length, for a table or a notification.
struct Summary {
    static let maximumCharacters = 120
    /// The maximum size of a summary in bytes.
    ///
    /// The size is limited in addition to the number of characters, because a single character can have many combining
    /// marks.
    static let maximumBytes = 480

    let text: String

    init(_ raw: String) {
        let whole = DisplayText(raw).withoutSoftHyphens
        // Most summaries are short. Counting bytes is enough for them: a text has at most as many characters as bytes.
        guard whole.utf8.count > Self.maximumCharacters else {
            text = whole
            return
        }
        let end = Self.end(of: whole)
        text = end == whole.utf8.count ? whole : String(decoding: whole.utf8.prefix(end), as: UTF8.self) + "…"
    }

    /// Returns the number of bytes of the characters that belong to the summary of a text.
    private static func end(of text: String) -> Int {
        text.withBytes { bytes in
            var end = 0
            for _ in 0..<maximumCharacters where end < bytes.count {
                var next = end + 1
                // CR LF is the only character of two ASCII scalars, and a `DisplayText` has no control characters. So an
                // ASCII scalar before another one is a whole character.
                if bytes[end] >= 0x80 || next < bytes.count && bytes[next] >= 0x80 {
                    let character = text.utf8.index(text.startIndex, offsetBy: end)
                    next = text.utf8.distance(from: text.startIndex, to: text.index(after: character))
                }
                guard next <= maximumBytes else { break }
                end = next
            }
            return end
        }
    }
}
