// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
import Text
internal import WidgetSchema

/// The names of JSON members that a parsing reads, for suggestions.
struct MemberNames {
    private static let maximumCorrections = 3
    /// The names that documents usually have, of those that have variants.
    private static let usualNames: Set<String> = [
        "items", "authors", "days", "low", "high", "quotes", "text", "author", "documents", "title", "url", "openedAt",
    ]

    private let names: [String]

    init(_ parsing: Parsing) {
        names =
            switch parsing {
            case .feed:
                [
                    "version", "title", "description", "home_page_url", "feed_url", "items", "author", "authors",
                    "name",
                    "id", "url", "external_url", "summary", "content_html", "content_text", "date_published",
                    "date_modified", "attachments", "mime_type",
                ]
            case .forecast:
                [
                    "days", "forecast", "date", "daysFromNow", "condition", "conditionText", "low", "lowTemperature",
                    "high", "highTemperature", "daily", "properties", "timeseries", "weather_code",
                    "temperature_2m_max", "temperature_2m_min",
                ]
            case .quote:
                ["quotes", "results", "text", "content", "quote", "body", "author", "source", "work", "book", "name"]
            case .documents:
                ["documents", "id", "title", "name", "url", "link", "openedAt", "opened_at", "icon"]
            case .keyValue(let options): options.values.flatMap(\.pointer.tokens)
            case .json(let rows): rows?.pointers.flatMap(\.pointer.tokens) ?? []
            case .invalid: []
            }
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Returns the name that was probably meant; nil if the name is known, or if none is close.
    ///
    /// `present` are the names of the other members of the object.
    func correction(of name: String, besides present: [String]) -> String? {
        guard !names.contains(name) else { return nil }
        let candidates = names.filter { !present.contains($0) }
        // If two names are equally close, such as 'quote' and 'quotes', the usual one is meant.
        return EditDistance.closest(to: name, among: candidates)
            ?? EditDistance.closest(to: name, among: candidates.filter(Self.usualNames.contains))
    }

    /// Returns the end of an error message with corrections of misspelled names in a document; empty if there are none.
    func corrections(of json: [UInt8]) -> String {
        guard let document = try? JSONDocument(json), !names.isEmpty else { return "" }
        var found: [String] = []
        for member in DocumentMembers(document.root).members {
            guard let name = correction(of: member.name, besides: member.siblings) else { continue }
            let text = "'\(name)' instead of '\(member.name)'"
            if !found.contains(text) { found.append(text) }
            if found.count == Self.maximumCorrections { break }
        }
        return found.isEmpty ? "" : "; did you mean \(found.joined(separator: ", "))?"
    }
}

/// The members of a document, each path once; elements of an array have the same path.
struct DocumentMembers {
    /// All members with one path.
    struct Member {
        let path: String
        let name: String
        /// The path of the object that contains the member.
        let parent: String
        /// The names of the members beside the first of these members.
        let siblings: [String]
        /// A Boolean value that indicates whether the first of these members is an array or an object.
        let isContainer: Bool
        /// The offsets of the members' names in the document.
        var places: [Int]
    }

    private static let maximumMembers = 256
    private static let maximumDepth = 8

    private(set) var members: [Member] = []
    private var indices: [String: Int] = [:]

    init(_ root: JSONValue) { visit(root, path: "", depth: 0) }

    private mutating func visit(_ value: JSONValue, path: String, depth: Int) {
        guard depth < Self.maximumDepth else { return }
        value.forEachElement { _, element in
            visit(element, path: path.isEmpty ? "" : path + "[]", depth: depth + 1)
            return true
        }
        var siblings: [String]?
        value.forEachPlacedMember { member in
            let memberPath = path.isEmpty ? member.name : "\(path).\(member.name)"
            if let index = indices[memberPath] {
                members[index].places.append(member.nameStart)
            } else if members.count < Self.maximumMembers {
                let names = siblings ?? Self.names(of: value)
                siblings = names
                indices[memberPath] = members.count
                members.append(
                    Member(
                        path: memberPath,
                        name: member.name,
                        parent: path,
                        siblings: names,
                        isContainer: member.value.kind == .array || member.value.kind == .object,
                        places: [member.nameStart]
                    )
                )
            }
            visit(member.value, path: memberPath, depth: depth + 1)
            return true
        }
    }

    private static func names(of object: JSONValue) -> [String] {
        var names: [String] = []
        object.forEachMember { name, _ in
            names.append(name)
            return names.count < maximumMembers
        }
        return names
    }
}
