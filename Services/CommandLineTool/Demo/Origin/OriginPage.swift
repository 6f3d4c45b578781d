// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import Foundation
import Text
package import WebServer

/// One path of an origin: its content, which may be different for each request, and the counts of its requests.
package struct OriginPage: Sendable {
    /// The content of a page at one step.
    package struct Content: Sendable {
        var body: Data
        var contentType: String
        /// The time of the last change, in seconds since 1970; nil if there is no `Last-Modified`.
        var lastChange: Int?

        package init(body: Data, contentType: String, lastChange: Int? = nil) {
            self.body = body
            self.contentType = contentType
            self.lastChange = lastChange
        }
    }

    /// The number of requests that have arrived.
    package private(set) var count = 0
    package private(set) var maximumConcurrent = 0
    /// The number of requests that were answered with the status 304.
    private(set) var notModified = 0
    private var inProgress = 0
    private var step = 0
    /// Returns the content for a step, which is the number of earlier answers with content; nil if it is unavailable.
    package var content: @Sendable (_ step: Int) -> Content?

    package init(content: @escaping @Sendable (_ step: Int) -> Content?) {
        self.content = content
    }

    init(_ script: FeedScript, _ writer: FeedWriter) {
        self.init { step in
            guard script.change(at: step) != .unavailable else { return nil }
            let feed = script.feed(at: step)
            let body = Data(writer.text(of: feed).utf8)
            return Content(body: body, contentType: writer.contentType, lastChange: feed.updated)
        }
    }

    /// Creates a page with a document, in which dates are relative to `start`, in seconds since 1970.
    init(_ document: DemoDocument, start: Int) {
        self.init { step in
            Content(body: Data(document.body(at: step, start: start).utf8), contentType: DemoDocument.contentType)
        }
    }

    package mutating func arrived() {
        count += 1
        inProgress += 1
        maximumConcurrent = max(maximumConcurrent, inProgress)
    }

    package mutating func finished() { inProgress -= 1 }

    /// Returns the answer to a request with the content of the next step and its validators.
    ///
    /// The status is 304 if the request contains the page's validator, byte for byte, and 200 otherwise (RFC 9110
    /// §13.1.2 and §13.1.3).
    package mutating func answer(_ request: WebRequest) -> WebResponse {
        defer { step += 1 }
        guard let content = content(step) else {
            return WebResponse(status: 503, text: "The origin is unavailable.\n")
        }
        let tag = "\"\(String(StableHash.hash(content.body), radix: 16))\""
        let lastModified = content.lastChange.map(FeedDateText.rfc1123)
        // If-Modified-Since is ignored if there is an If-None-Match.
        let matches: Bool
        if let wanted = request.header("If-None-Match") {
            matches = wanted == tag
        } else {
            matches = lastModified != nil && request.header("If-Modified-Since") == lastModified
        }
        if matches { notModified += 1 }
        let headers = [
            WebHeader("Content-Type", content.contentType), WebHeader("ETag", tag),
            WebHeader("Cache-Control", "no-cache"),
        ]
        return WebResponse(
            status: matches ? 304 : 200,
            headers: headers + (lastModified.map { [WebHeader("Last-Modified", $0)] } ?? []),
            body: content.body
        )
    }
}
