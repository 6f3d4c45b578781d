// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
internal import WidgetSchema

/// A reader for an app's list of recently opened documents.
///
/// The list is an array, `[{"id", "title", "url", "openedAt", "icon"}]`, or an object `{"documents": […]}`. It may also
/// be an object with the ids of the documents as member names. The reader sorts the documents by `openedAt`, the latest first. A document without a title gets the last part of its link as
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
            if let documents = value["documents"] { list = documents } else { list = try listByID(value) }
        }
        guard list.kind == .array || list.kind == .object else {
            throw list.fault("the value is \(list.kindName); a list of documents was expected")
        }
        var found: [RecentDocument] = []
        var useless: JSONValue?
        var count = 0
        func take(_ element: JSONValue, key: String?) throws(JSONFault) -> Bool {
            if let document = try recentDocument(element, key: key, isOwn: own != nil) {
                found.append(document)
            } else {
                useless = useless ?? element
            }
            count += 1
            return count < maximumElements
        }
        try list.forEachElement { _, element throws(JSONFault) in try take(element, key: nil) }
        try list.forEachMember { name, element throws(JSONFault) in try take(element, key: name) }
        if found.isEmpty, let useless { throw useless.fault("the document has neither 'title' nor 'url'") }
        let removed = try removal(in: value) ?? []
        return DocumentsContent(documents: latestFirst(found)).removing(removed)
    }

    /// Returns the ids in the member `remove` of a pushed object; nil if the object has no such member.
    ///
    /// Such an object removes documents from the list that the widget shows. `value` is the object, or the whole document
    /// in the form of content on the bus.
    static func removal(in value: JSONValue) throws(JSONFault) -> [String]? {
        guard value.kind == .object, let remove = value["remove"] else { return nil }
        guard remove.kind == .array else {
            guard let id = remove.line(atMost: maximumIDBytes) else {
                throw remove.fault("the value is \(remove.kindName); an array of ids was expected")
            }
            return [id]
        }
        var ids: [String] = []
        try remove.forEachElement { index, element throws(JSONFault) in
            guard let id = element.line(atMost: maximumIDBytes) else {
                throw element.fault("the value is \(element.kindName); the id of a document was expected")
            }
            ids.append(id)
            return index + 1 < maximumElements
        }
        return ids
    }

    /// Returns an object whose members are documents; throws if it is none.
    private static func listByID(_ value: JSONValue) throws(JSONFault) -> JSONValue {
        if let refusal = OriginRefusal.find(in: value) { throw refusal }
        var hasDocument = false
        var isList = true
        value.forEachMember { name, element in
            if name == Visibility.extensionName || name == "remove" { return true }
            isList = element.kind == .object
            hasDocument = isList
            return isList
        }
        guard isList, hasDocument else { throw value.fault("the object has no member 'documents'") }
        return value
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

    /// Returns a document; nil if it has neither title nor link.
    ///
    /// `key` is the element's member name if the list is an object; nil if the list is an array.
    private static func recentDocument(
        _ element: JSONValue,
        key: String?,
        isOwn: Bool
    ) throws(JSONFault) -> RecentDocument? {
        // At the top of a document, this member asks hosts to show or hide the widget.
        if key == Visibility.extensionName || key == "remove" { return nil }
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
            id: members["id"]?.line(atMost: maximumIDBytes) ?? key.flatMap { $0.isEmpty ? nil : $0 } ?? link ?? title,
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
