// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import JSON
public import WidgetSchema

extension SourceParser {
    /// Returns the content of a feed that was pushed or built in memory.
    ///
    /// Missing parts of the feed and of its items are filled in, as by `parse`. If the feed has no link, `documentURL`
    /// becomes its link. Items without a link get the link of the feed.
    public static func content(of feed: ParsedFeed, documentURL: String) -> FeedContent {
        var feed = feed
        feed.complete(author: nil, documentURL: documentURL)
        return FeedContent(feed)
    }

    /// Returns the ids of the documents that a pushed document removes from a list of documents; nil if it does not
    /// remove documents, but replaces the list.
    ///
    /// The document has the form `{"remove": ["id"]}`, or that of content on the bus with this object inside.
    public static func removedDocuments(in body: SourceBody) throws(ParsingError) -> [String]? {
        guard let document = try? SourceDocument(body) else { return nil }
        do throws(JSONFault) {
            let value = try document.root.ownForm(of: .documents) ?? document.root
            guard value.kind == .object, value["documents"] == nil else { return nil }
            return try DocumentsReader.removal(in: value)
        } catch {
            throw document.error(error)
        }
    }
}
