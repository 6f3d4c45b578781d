// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A set of quotes, one of which is shown each day.
///
/// The day of the year selects the quote; if there are fewer quotes than days, the quotes are repeated.
public struct QuoteContent: Codable, Hashable, Sendable {
    /// The maximum number of quotes: one for each day of a leap year.
    public static let maximumQuotes = 366

    public var quotes: [Quote]

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(quotes: [Quote], hasContent: Bool? = nil) {
        self.quotes = quotes
        self.hasContent = hasContent
    }

    /// Returns the quote of a day; nil if there are no quotes.
    public func quote(on date: CalendarDate) -> Quote? {
        quotes.isEmpty ? nil : quotes[(date.dayOfYear - 1) % quotes.count]
    }
}

/// A quotation.
public struct Quote: Codable, Hashable, Sendable {
    public static let maximumTextCharacters = 1000
    public static let maximumNameCharacters = 200

    public var text: String
    public var author: String?
    /// The work that contains the quote, such as a book, a speech or a letter.
    public var source: String?

    public init(text: String, author: String? = nil, source: String? = nil) {
        self.text = text
        self.author = author
        self.source = source
    }
}
