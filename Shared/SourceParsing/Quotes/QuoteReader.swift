// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for one quote or a list of quotes.
///
/// A quote is a text or an object; the member names of common services are supported. A quote without text is dropped.
/// If a list has elements, but none of them has text, an error is thrown.
enum QuoteReader {
    /// The maximum number of list elements that are read; further elements are ignored.
    private static let maximumElements = 10_000
    private static let lists = ["quotes", "results"]
    private static let texts = ["text", "content", "quote", "q", "body"]
    private static let authors = ["author", "a"]
    private static let sources = ["source", "work", "book"]
    /// The author of the quote that ZenQuotes sends instead of an error when it receives too many requests.
    private static let rateLimitAuthor = "zenquotes.io"

    static func read(_ document: SourceDocument) throws(JSONFault) -> QuoteContent {
        let root = document.root
        let value = try root.ownForm(of: .quote) ?? root
        switch value.kind {
        case .array: return try list(value)
        case .string: return QuoteContent(quotes: try quote(value).map { [$0] } ?? [])
        case .object:
            if let refusal = OriginRefusal.find(in: value) { throw refusal }
            let members = value.members("quotes", "results")
            if let found = lists.lazy.compactMap({ members[$0] }).first {
                try found.expectList()
                return try list(found)
            }
            guard let quote = try quote(value) else {
                throw value.fault("the object is not a quote; expected one of these members: 'quotes', \(names(texts))")
            }
            return QuoteContent(quotes: [quote])
        case .number, .boolean, .null:
            throw value.fault("the value is \(value.kindName); a quote or a list of quotes was expected")
        }
    }

    private static func list(_ list: JSONValue) throws(JSONFault) -> QuoteContent {
        var quotes: [Quote] = []
        var useless: JSONValue?
        try list.forEachElement { index, element throws(JSONFault) in
            if let quote = try quote(element) {
                quotes.append(quote)
            } else {
                useless = useless ?? element
            }
            return quotes.count < QuoteContent.maximumQuotes && index + 1 < maximumElements
        }
        if quotes.isEmpty, let useless {
            throw useless.fault("the element is not a quote; expected a text, or an object with one of \(names(texts))")
        }
        return QuoteContent(quotes: quotes)
    }

    private static func quote(_ value: JSONValue) throws(JSONFault) -> Quote? {
        if value.kind == .string { return value.line(atMost: Quote.maximumTextCharacters).map { Quote(text: $0) } }
        guard value.kind == .object else { return nil }
        let members = value.members("text", "content", "quote", "q", "body", "author", "a", "source", "work", "book")
        func words(_ names: [String], _ limit: Int) -> String? {
            for name in names {
                guard let member = members[name] else { continue }
                let named = member.kind == .object ? member["name"] : member
                if let named, named.kind == .string, let line = named.line(atMost: limit) { return line }
            }
            return nil
        }
        let author = words(authors, Quote.maximumNameCharacters)
        if members["a"] != nil, author?.lowercased() == rateLimitAuthor {
            let said = words(texts, Quote.maximumNameCharacters) ?? "too many requests"
            throw value.fault("the origin says: \(said)", kind: .rateLimited)
        }
        guard let text = words(texts, Quote.maximumTextCharacters) else { return nil }
        return Quote(text: text, author: author, source: words(sources, Quote.maximumNameCharacters))
    }

    private static func names(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
