// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import WebServer

/// The HTTP origin of the demo, whose feeds and documents change from request to request.
///
/// `/blog.xml` (RSS) and `/news.atom` (Atom) serve the two feeds of ``FeedScript``, and each ``DemoDocument`` is served
/// at its path. Other paths answer 404. The query of a URL is ignored. `GET /requests` returns the numbers of requests
/// for each path as JSON.
final class DemoOrigin: Sendable {
    /// The counts for one path in the answer to `GET /requests`.
    private struct Counts: Encodable {
        var count: Int
        var maximumConcurrent: Int
        var notModified: Int
    }

    /// The path that receives the demo's messages.
    static let deliveries = "/deliveries"

    private let pages: Lock<[String: OriginPage]>
    /// Receives the body of each message.
    private let received: @Sendable (Data) -> Void

    /// Creates an origin whose feeds begin at `start`, in seconds since 1970.
    init(start: Int, received: @escaping @Sendable (Data) -> Void = { _ in }) {
        self.received = received
        var pages = [
            "/blog.xml": OriginPage(.blog(start: start), .rss), "/news.atom": OriginPage(.news(start: start), .atom),
        ]
        for document in DemoDocument.allCases { pages[document.rawValue] = OriginPage(document, start: start) }
        self.pages = Lock(pages)
    }

    fileprivate func answer(_ request: WebRequest) -> WebResponse {
        if request.path == "/requests" { return counts() }
        if request.path == Self.deliveries, request.method == "POST" {
            received(request.body)
            return WebResponse(status: 204)
        }
        pages.withLock { $0[request.path]?.arrived() }
        return pages.withLock { pages in
            defer { pages[request.path]?.finished() }
            return pages[request.path]?.answer(request) ?? WebResponse(status: 404, text: "There is nothing here.\n")
        }
    }

    private func counts() -> WebResponse {
        let counts = pages.withLock { pages in
            pages.filter { $0.value.count > 0 }.mapValues {
                Counts(count: $0.count, maximumConcurrent: $0.maximumConcurrent, notModified: $0.notModified)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(["paths": counts]) else { return WebResponse(status: 500) }
        return WebResponse(headers: [WebHeader("Content-Type", "application/json")], body: body)
    }
}

/// Runs `body` with a listening origin; the argument of `body` converts a path to a URL of the origin.
///
/// The dates in feeds and documents are relative to `start`, in seconds since 1970. `host` is a numeric address; by
/// default, only this machine can reach the origin. If `port` is 0, the system selects a free port.
func withDemoOrigin<Value>(
    _ origin: DemoOrigin,
    host: String = "127.0.0.1",
    port: Int = 0,
    _ body: ((String) -> String) async throws -> Value
) async throws -> Value {
    try await withWebServer(HTTPServer(host: host, port: port) { origin.answer($0) }) { server in
        let authority = "\(host.contains(":") ? "[\(host)]" : host):\(server.port)"
        return try await body { "http://\(authority)\($0)" }
    }
}
