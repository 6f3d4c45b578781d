// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for an app's list of recently opened documents.
///
/// The list is an array, `[{"id", "title", "url", "openedAt", "icon"}]`, or an object `{"documents": […]}`. The reader
/// sorts the documents by `openedAt`, the latest first. A document without a title gets the last part of its link as
/// its title.
///
/// A link that widgets are not allowed to open is dropped. If the list has the form of content on the bus,
/// `{"kind": "documents", "documents": {…}}`, such a link is an error instead.
enum DocumentsReader {
    /// The maximum number of list elements that are read; further elements are ignored.
    private static let maximumElements = 1_000
    private static let maximumIDBytes = 512
    private static let maximumIconCharacters = 100

    static func read(_ document: SourceDocument) throws(JSONFault) -> DocumentsContent {
        let root = document.root
        let own = try root.ownForm(of: .documents)
        let value = own ?? root
        var list = value
        if value.kind != .array {
            guard value.kind == .object else {
                throw value.fault("the value is \(value.kindName); a list of documents was expected")
            }
            guard let documents = value["documents"] else {
                throw OriginRefusal.find(in: value) ?? value.fault("the object has no member 'documents'")
            }
            list = documents
        }
        try list.expectList()
        var found: [RecentDocument] = []
        var useless: JSONValue?
        try list.forEachElement { index, element throws(JSONFault) in
            if let document = try recentDocument(element, isOwn: own != nil) {
                found.append(document)
            } else {
                useless = useless ?? element
            }
            return index + 1 < maximumElements
        }
        if found.isEmpty, let useless { throw useless.fault("the document has neither 'title' nor 'url'") }
        return DocumentsContent(documents: latestFirst(found))
    }

    /// Sorts documents by `openedAt`, the latest first; documents without a time follow in their original order.
    ///
    /// If several documents have the same id, only the first of them in the sorted list is kept. The result is limited
    /// to the first `DocumentsContent.maximumDocuments` documents.
    private static func latestFirst(_ documents: [RecentDocument]) -> [RecentDocument] {
        let sorted = documents.enumerated().sorted { left, right in
            let (first, second) = (left.element.openedAt, right.element.openedAt)
            if let first, let second, first != second { return first > second }
            if (first == nil) != (second == nil) { return first != nil }
            return left.offset < right.offset
        }
        var ids: Set<String> = []
        let unique = sorted.map(\.element).filter { ids.insert($0.id).inserted }
        return Array(unique.prefix(DocumentsContent.maximumDocuments))
    }

    private static func recentDocument(_ element: JSONValue, isOwn: Bool) throws(JSONFault) -> RecentDocument? {
        try element.expectObject()
        let members = element.members("id", "title", "name", "url", "link", "openedAt", "opened_at", "icon")
        let link =
            try (members["url"] ?? members["link"]).map { value throws(JSONFault) in try self.link(value, isOwn: isOwn)
            } ?? nil
        let limit = RecentDocument.maximumTitleCharacters
        let named =
            try (members["title"] ?? members["name"]).map { value throws(JSONFault) in
                _ = try value.expectString()
                return value.line(atMost: limit)
            } ?? nil
        guard let title = named ?? link.flatMap(lastPart)?.shortened(to: limit) else { return nil }
        return RecentDocument(
            id: members["id"]?.line(atMost: maximumIDBytes) ?? link ?? title,
            title: title,
            link: link,
            openedAt: try (members["openedAt"] ?? members["opened_at"]).map { value throws(JSONFault) in
                try JSONDate.read(value, .date)
            },
            icon: members["icon"]?.string.flatMap { $0.shortened(to: maximumIconCharacters) }
        )
    }

    private static func link(_ value: JSONValue, isOwn: Bool) throws(JSONFault) -> String? {
        let text = PlainText.trimmed(try value.expectString())
        let isUsable = LinkSchemes.isOfTheWebOrAnApp(text) && text.utf8.count <= WebLink.maximumBytes
        if isUsable, !text.utf8.contains(where: { $0 <= 32 }) { return text }
        guard isOwn else { return nil }
        throw value.fault("the link is invalid; write an http or https address, or one with an app's own scheme")
    }

    private static func lastPart(_ link: String) -> String? {
        link.split(separator: "/").last.map(String.init)
    }
}
