// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import WidgetSchema

/// The changes that the cache makes to pushed content before it stores the content.
extension CacheCore {
    /// Returns the content that a push makes the widget show.
    ///
    /// Facts are selected and labelled as the option `values` of the widget's parsing says. Posts are sorted by date
    /// unless the option `order` keeps their order. A push with `remove` removes documents from the list on show.
    ///
    /// Throws if the list on show is not known.
    func adapted(
        _ request: PushRequest,
        _ encoded: EncodedContent,
        by parsing: Parsing,
        now: Instant
    ) throws(RequestError) -> (Content, EncodedContent) {
        var content = request.content
        switch content {
        case .keyValue(let facts):
            guard case .keyValue(let options) = parsing, !options.values.isEmpty else { break }
            content = .keyValue(facts.labelled(by: options.values))
        case .feed(let feed):
            guard case .feed(let options) = parsing, options.order == .date else { break }
            content = .feed(feed.latestFirst(asOf: now))
        case .documents:
            guard let removed = request.remove else { break }
            content = .documents(try shownDocuments(of: request.widget).removing(removed))
        case .forecast, .quote, .json: break
        }
        guard content != request.content, let bytes = try? WireJSON.encode(content),
            let digest = ContentDigest(rawValue: SHA256.hexDigest(of: bytes))
        else { return (request.content, encoded) }
        return (content, EncodedContent(digest: digest, bytes: bytes))
    }

    /// Returns the list of documents that a widget shows; an empty list if it has no content.
    private func shownDocuments(of widget: WidgetID) throws(RequestError) -> DocumentsContent {
        guard let shown = state.widgets[widget]?.content?.digest else { return DocumentsContent(documents: []) }
        guard let known = state.documents[widget], known.digest == shown else {
            throw RequestError(
                .refused,
                "The list that '\(widget)' shows was not pushed, so no document can be removed from it; push the whole list."
            )
        }
        return known.content
    }
}
