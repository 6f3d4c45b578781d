// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for one quote or a list of quotes.
///
/// A quote is a text or an object; the member names of common services are supported. The author and the source of a
/// quote are texts, objects with a name or a title, or ids of people and sources that the document lists beside the
/// quotes. A quote without text is dropped. If a list has elements, but none of them has text, an error is thrown.
struct QuoteReader {
    /// The maximum number of list elements that are read; further elements are ignored.
    private static let maximumElements = 10_000
    private static let lists = ["quotes", "results"]
    private static let texts = ["text", "content", "quote", "q", "body"]
    private static let authors = ["author", "a", "person", "speaker"]
    private static let authorIDs = ["personId", "personID", "person_id", "authorId", "authorID", "author_id"]
    private static let sources = ["source", "work", "book"]
    private static let sourceIDs = ["sourceId", "sourceID", "source_id", "workId", "work_id", "bookId", "book_id"]
    /// The members of an object that may contain the name of a person or the title of a source.
    private static let names = ["name", "title", "fullName", "full_name", "displayName"]
    private static let givenNames = ["firstName", "first_name", "givenName", "given_name"]
    private static let familyNames = ["lastName", "last_name", "familyName", "family_name", "surname"]
    /// The author of the quote that ZenQuotes sends instead of an error when it receives too many requests.
    private static let rateLimitAuthor = "zenquotes.io"

    /// The people and the sources beside the quotes: their names by their ids.
    private var people: [String: String] = [:]
    private var works: [String: String] = [:]

    static func read(_ document: SourceDocument) throws(JSONFault) -> QuoteContent {
        let root = document.root
        let value = try root.ownForm(of: .quote) ?? root
        let reader = QuoteReader()
        switch value.kind {
        case .array: return try reader.list(value)
        case .string: return QuoteContent(quotes: try reader.quote(value).map { [$0] } ?? [])
        case .object: return try QuoteReader(namesIn: value).content(of: value)
        case .number, .boolean, .null:
            throw value.fault("the value is \(value.kindName); a quote or a list of quotes was expected")
        }
    }

    private init() {}

    private init(namesIn object: JSONValue) {
        let members = object.members("people", "persons", "authors", "sources", "works", "books")
        for list in ["people", "persons", "authors"] {
            people.merge(Self.namesByID(members[list])) { first, _ in first }
        }
        for list in ["sources", "works", "books"] { works.merge(Self.namesByID(members[list])) { first, _ in first } }
    }

    /// Returns the names in a list of people or sources, by their ids.
    ///
    /// The list is an array of objects with an id, or an object with the ids as member names.
    private static func namesByID(_ list: JSONValue?) -> [String: String] {
        var found: [String: String] = [:]
        var count = 0
        func add(_ element: JSONValue, id: String?) -> Bool {
            count += 1
            if let id = element["id"]?.line(atMost: Quote.maximumNameCharacters) ?? id, found[id] == nil {
                found[id] = name(of: element)
            }
            return count < maximumElements
        }
        list?.forEachElement { _, element in add(element, id: nil) }
        list?.forEachMember { name, element in add(element, id: name) }
        return found
    }

    /// Returns the text of a value, or the name or the title in an object.
    private static func name(of value: JSONValue) -> String? {
        guard value.kind == .object else {
            return value.string == nil ? nil : value.line(atMost: Quote.maximumNameCharacters)
        }
        func text(_ members: [String]) -> String? {
            members.lazy.compactMap { value[$0] }.first { $0.string != nil }?.line(atMost: Quote.maximumNameCharacters)
        }
        let parts = [text(givenNames), text(familyNames)].compactMap(\.self)
        return text(names) ?? (parts.isEmpty ? nil : parts.joined(separator: " "))
    }

    private func content(of value: JSONValue) throws(JSONFault) -> QuoteContent {
        if let refusal = OriginRefusal.find(in: value) { throw refusal }
        let members = value.members("quotes", "results")
        if let found = Self.lists.lazy.compactMap({ members[$0] }).first {
            try found.expectList()
            return try list(found)
        }
        guard let quote = try quote(value) else {
            throw value.fault(
                "the object is not a quote; expected one of these members: 'quotes', \(Self.quoted(Self.texts))"
            )
        }
        return QuoteContent(quotes: [quote])
    }

    private func list(_ list: JSONValue) throws(JSONFault) -> QuoteContent {
        var quotes: [Quote] = []
        var useless: JSONValue?
        try list.forEachElement { index, element throws(JSONFault) in
            if let quote = try quote(element) {
                quotes.append(quote)
            } else {
                useless = useless ?? element
            }
            return quotes.count < QuoteContent.maximumQuotes && index + 1 < Self.maximumElements
        }
        if quotes.isEmpty, let useless {
            throw useless.fault(
                "the element is not a quote; expected a text, or an object with one of \(Self.quoted(Self.texts))"
            )
        }
        return QuoteContent(quotes: quotes)
    }

    private func quote(_ value: JSONValue) throws(JSONFault) -> Quote? {
        if value.kind == .string { return value.line(atMost: Quote.maximumTextCharacters).map { Quote(text: $0) } }
        guard value.kind == .object else { return nil }
        var members: [String: JSONValue] = [:]
        value.forEachMember { name, member in
            if Self.known.contains(name), members[name] == nil { members[name] = member }
            return true
        }
        let author = name(members, Self.authors, ids: Self.authorIDs, of: people)
        let words = Self.texts.lazy.compactMap { members[$0] }
            .compactMap { $0.kind == .object ? $0["name"] : $0 }
            .first { $0.string != nil && $0.line(atMost: 1) != nil }
        if members["a"] != nil, author?.lowercased() == Self.rateLimitAuthor {
            let said = words?.line(atMost: Quote.maximumNameCharacters) ?? "too many requests"
            throw value.fault("the origin says: \(said)", kind: .rateLimited)
        }
        guard let text = words?.line(atMost: Quote.maximumTextCharacters) else { return nil }
        return Quote(text: text, author: author, source: name(members, Self.sources, ids: Self.sourceIDs, of: works))
    }

    private static let known = Set(texts + authors + authorIDs + sources + sourceIDs)

    /// Returns the name of a quote's author or source; nil if the quote has none.
    ///
    /// `keys` are the members that may contain the name, and `ids` those that may contain an id of `known`. The name may
    /// also be such an id.
    private func name(
        _ members: [String: JSONValue],
        _ keys: [String],
        ids: [String],
        of known: [String: String]
    ) -> String? {
        for key in keys {
            guard let member = members[key] else { continue }
            if !known.isEmpty {
                let id = member.kind == .object ? member["id"] : member
                if let name = id?.line(atMost: Quote.maximumNameCharacters).flatMap({ known[$0] }) { return name }
            }
            if let name = Self.name(of: member) { return name }
        }
        return ids.lazy.compactMap { members[$0]?.line(atMost: Quote.maximumNameCharacters) }
            .compactMap { known[$0] }.first
    }

    private static func quoted(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
}
