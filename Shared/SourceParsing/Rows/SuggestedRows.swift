// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
public import WidgetSchema

extension SourceParser {
    /// Suggests where the rows of a JSON document are; returns nil if the document contains no suitable list.
    ///
    /// The list with the most objects is used, or the first one of several lists with equally many objects. Lists with
    /// 100 or more objects count as equal. The title and the other parts of a row are recognised by member names that
    /// services often use.
    public static func suggestedRows(_ body: SourceBody) -> RowsParsing? {
        guard let document = try? SourceDocument(body) else { return nil }
        var search = RowsSearch()
        search.visit(document.root, path: [])
        guard let list = search.best, let names = search.names, let title = names.title else { return nil }
        func pointer(_ name: String) -> JSONPointer { JSONPointer(tokens: [name]) }
        return RowsParsing(
            list: JSONPointer(tokens: list),
            title: RowsParsing.Field(pointer(title)),
            subtitle: names.subtitle.map { RowsParsing.Field(pointer($0)) },
            link: names.link.map(pointer),
            date: names.date.map { RowsParsing.Field(pointer($0)) },
            id: names.id.map(pointer)
        )
    }
}

/// A search through a document for the list that most likely contains the rows.
private struct RowsSearch {
    /// The names of the JSON members that contain the parts of a row, such as its title and its link.
    struct Names {
        var title: String?
        var subtitle: String?
        var link: String?
        var date: String?
        var id: String?
    }

    private static let maximumDepth = 6
    /// The number of objects after which the search stops counting the objects of a list.
    private static let maximumElements = 100
    private static let titles = [
        "title", "name", "headline", "full_name", "label", "subject", "summary", "text", "message", "description",
    ]
    private static let subtitles = ["subtitle", "author", "user", "status", "state", "category", "type", "description"]
    private static let links = ["html_url", "url", "link", "href", "uri", "permalink"]
    private static let dates = [
        "date", "published", "published_at", "created_at", "createdAt", "updated_at", "updatedAt", "time", "timestamp",
    ]
    private static let ids = ["id", "guid", "key", "number", "uuid"]

    private(set) var best: [String]?
    private(set) var names: Names?
    private var count = 0

    mutating func visit(_ value: JSONValue, path: [String]) {
        guard path.count <= Self.maximumDepth else { return }
        if value.kind == .array {
            var objects = 0
            var first: JSONValue?
            value.forEachElement { _, element in
                if element.kind == .object {
                    objects += 1
                    first = first ?? element
                }
                return objects < Self.maximumElements
            }
            // Of lists that are equally long, the first one is kept.
            if let first, objects > count, let found = Self.names(of: first) {
                (best, names, count) = (path, found, objects)
            }
            return
        }
        value.forEachMember { name, member in
            visit(member, path: path + [name])
            return true
        }
    }

    private static func names(of element: JSONValue) -> Names? {
        var scalars: [String: JSONValue] = [:]
        var order: [String] = []
        element.forEachMember { name, value in
            if value.scalarText?.isEmpty == false, scalars.updateValue(value, forKey: name) == nil {
                order.append(name)
            }
            return true
        }
        func known(_ list: [String], besides taken: [String?] = []) -> String? {
            list.first { scalars[$0] != nil && !taken.contains($0) }
        }
        let link = links.first { scalars[$0]?.string.map { $0.hasPrefix("http") } ?? false }
        let date = known(dates)
        let id = known(ids)
        // A title is a text. If no member has one of the usual names, the title is the first text with no other use, or
        // else the id.
        let title =
            titles.first { scalars[$0]?.string != nil }
            ?? order.first { scalars[$0]?.string != nil && $0 != link && $0 != date && $0 != id } ?? id
        guard let title else { return nil }
        return Names(
            title: title,
            subtitle: known(subtitles, besides: [title]),
            link: link,
            date: date,
            id: id
        )
    }
}
