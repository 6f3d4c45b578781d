// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One line of bounded length, for a table or a notification.
struct Summary {
    static let maximumCharacters = 120
    /// The maximum size in bytes, because a single character may be a long sequence of combining marks.
    static let maximumBytes = 480

    let text: String

    init(_ raw: String) {
        var text = ""
        var bytes = 0
        for (count, character) in DisplayText(raw).string.enumerated() {
            bytes += character.utf8.count
            guard count < Self.maximumCharacters, bytes <= Self.maximumBytes else {
                text.append("…")
                break
            }
            text.append(character)
        }
        self.text = text
    }
}
