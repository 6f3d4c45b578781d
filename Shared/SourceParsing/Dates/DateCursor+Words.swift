// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

/// Functions that read the words around a date.
extension DateCursor {
    /// Skips the words before a date, which are days of the week in any language.
    mutating func skipLeadingWords() {
        for _ in 0..<WordedDate.maximumLeadingWords {
            guard word() != nil else { return }
            while skipSeparator(dashes: false) {}
        }
    }

    /// Skips spaces, commas, and words without a meaning, such as `um` and `Uhr`.
    mutating func skipFillers() {
        while true {
            skipSpaces()
            if skip(",") { continue }
            var ahead = self
            guard let word = ahead.word(), DateWords.isFiller(word) else { return }
            // The dot of an abbreviation.
            _ = ahead.skip(".")
            self = ahead
        }
    }

    /// Reads a zone, such as `CET`, `Europe/Berlin` or `Central European Summer Time`; nil if none follows.
    mutating func zone() -> DateZone? {
        var ahead = self
        if let name = ahead.placeName() {
            guard let days = LocalDays(identifier: name) else { return nil }
            self = ahead
            return .place(days)
        }
        let (phrase, end) = phrase()
        if let offset = LongZoneNames.offset(of: phrase.lowercased()) {
            move(to: end)
            return .offset(offset)
        }
        guard let word = ahead.word(), !DateWords.isFiller(word), let offset = FeedDate.zone(word) else { return nil }
        self = ahead
        return .offset(offset)
    }
}
