// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The documents that were recently open in an app, the most recent first.
public struct DocumentsContent: Codable, Hashable, Sendable {
    public static let maximumDocuments = 50

    public var documents: [RecentDocument]

    /// A Boolean value that indicates whether displays should show the widget; nil if the content says nothing about it.
    public var hasContent: Bool?

    public init(documents: [RecentDocument], hasContent: Bool? = nil) {
        self.documents = documents
        self.hasContent = hasContent
    }
}

extension DocumentsContent {
    /// Returns the list without the documents that have one of these ids.
    public func removing(_ ids: [String]) -> DocumentsContent {
        let ids = Set(ids)
        return DocumentsContent(documents: documents.filter { !ids.contains($0.id) }, hasContent: hasContent)
    }
}

/// One document.
public struct RecentDocument: Codable, Hashable, Sendable {
    public static let maximumTitleCharacters = 300

    /// The id, which is unique within the content and stable for the same document.
    public var id: String
    public var title: String
    /// The link that a tap opens: an http or https link, or one with the app's own scheme.
    public var link: String?
    public var openedAt: Instant?
    /// The name of an SF Symbol, such as `doc.text`; nil for the default symbol of documents.
    ///
    /// ``SymbolCatalog`` contains the names of the symbols that renderers can draw.
    public var icon: String?

    public init(id: String, title: String, link: String? = nil, openedAt: Instant? = nil, icon: String? = nil) {
        self.id = id
        self.title = title
        self.link = link
        self.openedAt = openedAt
        self.icon = icon
    }
}
