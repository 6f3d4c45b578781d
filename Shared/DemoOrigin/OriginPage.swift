// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import WebServer
import WidgetSchema

/// One path of the demo origin, with its content and its requests.
struct OriginPage: Sendable {
    /// The content of a page, which may be different for each request.
    ///
    /// The step selects what a request gets. It is the number of earlier requests that were answered with the content.
    /// Requests that were answered with ``statusOverride`` are not counted.
    enum Content: Sendable {
        /// Every request gets the same bytes.
        ///
        /// The header `Last-Modified` is `revision` seconds after `FeedScript.defaultStart`.
        case fixed(Data, contentType: String, revision: Int)
        case script(FeedScript, FeedWriter)
        /// The requests get a ``DemoDocument``, in which dates are relative to `start`, in seconds since 1970.
        case document(DemoDocument, start: Int)
        /// Every request gets a feed of `itemCount` posts, in the format of the `FeedWriter`.
        ///
        /// From each answer to the next, one new post is added at the top, and the oldest post is removed.
        case changing(itemCount: Int, FeedWriter)
        /// The requests get these answers one after another, unchanged; the last answer is repeated.
        case answers([ScriptedAnswer])
    }

    var content: Content?
    var step = 0
    /// The status and headers of an answer that replaces the content; nil if the content is served.
    ///
    /// Requests that get this answer do not count as steps.
    var statusOverride: (status: Int, headers: [WebHeader])?
    var delay: Duration = .zero
    var isHeld = false

    /// The maximum number of requests that one page records; after this number, requests are only counted.
    static let maximumRecords = 100_000

    private(set) var requests: [RecordedRequest] = []
    private(set) var count = 0
    private(set) var inProgress = 0
    private(set) var maximumConcurrent = 0
    private(set) var notModified = 0

    /// Replaces the content of the page with fixed bytes.
    mutating func serve(_ body: Data, contentType: String) {
        var revision = 0
        if case .fixed(_, _, let last) = content { revision = last + 1 }
        content = .fixed(body, contentType: contentType, revision: revision)
    }

    /// Records a request that has arrived; returns the number of earlier requests for this path.
    mutating func arrived(_ request: RecordedRequest) -> Int {
        defer { count += 1 }
        if count < Self.maximumRecords { requests.append(request) }
        inProgress += 1
        maximumConcurrent = max(maximumConcurrent, inProgress)
        return count
    }

    mutating func finished(_ number: Int, status: Int) {
        inProgress -= 1
        guard number < requests.count else { return }
        requests[number].finishedAt = .now
        requests[number].status = status
    }

    /// Returns the answer to a request; an answer with the content counts as a step.
    mutating func answer(_ request: WebRequest) -> WebResponse {
        if let statusOverride {
            return WebResponse(status: statusOverride.status, headers: statusOverride.headers)
        }
        guard let content else { return WebResponse(status: 404, text: "There is nothing here.\n") }
        let step = self.step
        self.step += 1
        switch content {
        case .fixed(let body, let contentType, let revision):
            return conditional(request, body, contentType, FeedScript.defaultStart + revision)
        case .script(let script, let writer):
            guard script.change(at: step) != .unavailable else {
                return WebResponse(status: 503, text: "The origin is unavailable.\n")
            }
            let feed = script.feed(at: step)
            return conditional(request, Data(writer.text(of: feed).utf8), writer.contentType, feed.updated)
        case .document(let document, let start):
            let body = Data(document.body(at: step, start: start).utf8)
            return conditional(request, body, DemoDocument.contentType, nil)
        case .answers(let answers):
            guard let answer = answers.dropFirst(step).first ?? answers.last else {
                return WebResponse(status: 404, text: "There is nothing here.\n")
            }
            let headers = answer.headers.sorted { $0.key < $1.key }.map { WebHeader($0.key, $0.value) }
            return WebResponse(status: answer.status, headers: headers, body: answer.body)
        case .changing(let itemCount, let writer):
            let feed = changingFeed(itemCount, step)
            return conditional(request, Data(writer.text(of: feed).utf8), writer.contentType, feed.updated)
        }
    }

    private func changingFeed(_ itemCount: Int, _ step: Int) -> DemoFeed {
        let start = FeedScript.defaultStart
        let posts = (0..<itemCount).map { index in
            let number = step + itemCount - 1 - index
            return DemoPost.numbered(number, published: start + number)
        }
        return DemoFeed(
            title: "Changes",
            link: "https://tidings.example/changes",
            summary: "A post for each request",
            updated: start + step + itemCount - 1,
            posts: posts
        )
    }

    /// Returns an answer with validators: status 304 if the request contains the page's validator, byte for byte, and
    /// status 200 otherwise (RFC 9110 §13.1.2 and §13.1.3).
    private mutating func conditional(
        _ request: WebRequest,
        _ body: Data,
        _ contentType: String,
        _ lastChange: Int?
    ) -> WebResponse {
        let tag = "\"\(String(StableHash.hash(body), radix: 16))\""
        let lastModified = lastChange.map(FeedDate.rfc1123)
        // If-Modified-Since is ignored if there is an If-None-Match.
        let matches: Bool
        if let wanted = request.header("If-None-Match") {
            matches = wanted == tag
        } else {
            matches = lastModified != nil && request.header("If-Modified-Since") == lastModified
        }
        if matches { notModified += 1 }
        let headers = [
            WebHeader("Content-Type", contentType), WebHeader("ETag", tag), WebHeader("Cache-Control", "no-cache"),
        ]
        return WebResponse(
            status: matches ? 304 : 200,
            headers: headers + (lastModified.map { [WebHeader("Last-Modified", $0)] } ?? []),
            body: body
        )
    }
}
