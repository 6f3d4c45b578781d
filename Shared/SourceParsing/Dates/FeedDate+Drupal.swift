// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import WidgetSchema

extension FeedDate {
    /// Parses a date in either of the two forms that feeds of Drupal contain; returns nil for any other form.
    ///
    /// The first form is `<time datetime="2020-12-04T14:05:00+00:00">…</time>`. The second form is the text of that
    /// element, such as `Fri, 12/04/2020 - 14:05`; the month comes first, and the time is in UTC.
    ///
    /// Source: https://www.drupal.org/project/drupal/issues/3032433
    static func parseDrupal(_ text: String) -> Instant? {
        if let start = text.firstRange(of: "datetime=") {
            let value = text[start.upperBound...]
            guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
            return parse(String(value.dropFirst().prefix { $0 != quote }))
        }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 3 || words.count == 4, words[words.count - 2] == "-" else { return nil }
        let day = words[words.count - 3].split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard day.count == 3, let month = day[0], let date = day[1], let year = day[2], (1...12).contains(month),
            (1...31).contains(date), (1900...9999).contains(year)
        else { return nil }
        return parse("\(year)-\(month.padded(to: 2))-\(date.padded(to: 2))T\(words[words.count - 1]):00Z")
    }
}
