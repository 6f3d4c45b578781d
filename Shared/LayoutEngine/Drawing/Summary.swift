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
        var end = whole.startIndex
        var bytes = 0
        for _ in 0..<Self.maximumCharacters where end < whole.endIndex {
            let next = whole.index(after: end)
            bytes += whole.utf8.distance(from: end, to: next)
            guard bytes <= Self.maximumBytes else { break }
            end = next
        }
        text = end == whole.endIndex ? whole : whole[..<end] + "…"
    }
}
