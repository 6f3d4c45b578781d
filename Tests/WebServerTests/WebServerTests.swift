// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import HTTPTransport
import Locking
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(3))) struct WebServerTests {
    private func fetch(
        _ server: HTTPServer,
        _ path: String,
        method: String = "GET",
        headers: [HTTPHeader] = [],
        body: Data? = nil
    ) async throws -> HTTPResponse {
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        let url = "http://127.0.0.1:\(server.port)\(path)"
        var request = HTTPRequest(url: url, method: method, headers: headers, allowPrivateNetworks: true)
        request.body = body
        return try await withHTTPClient(configuration: configuration) { [request] in try await $0.fetch(request) }
    }

    @Test func aHandlerSeesTheWholeRequest() async throws {
        let seen = Lock<WebRequest?>(nil)
        let started = try HTTPServer { request in
            seen.withLock { $0 = request }
            return WebResponse(status: 201, headers: [WebHeader("X-A", "b")], text: "made")
        }
        try await withWebServer(started) { server in
            let response = try await fetch(
                server,
                "/a%2Fb/c?q=1%202&q=3&flag",
                method: "POST",
                headers: [HTTPHeader("X-Twice", "1"), HTTPHeader("X-Twice", "2")],
                body: Data(repeating: 7, count: 100_000)
            )
            #expect(response.status == 201)
            #expect(response.headers["x-a"] == "b")
            #expect(response.headers["content-type"] == "text/plain; charset=utf-8")
        }
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "POST")
        #expect(request.path == "/a/b/c")
        #expect(request.query.map(\.name) == ["q", "q", "flag"])
        #expect(request.query("q") == "1 2")
        #expect(request.query("flag") == "")
        #expect(request.headers.filter { $0.name == "X-Twice" }.map(\.value) == ["1", "2"])
        #expect(request.body == Data(repeating: 7, count: 100_000))
    }

    @Test func handlersThatWaitHoldNobodyUp() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let started = try HTTPServer { request in
            if request.path == "/open" { open.finish() }
            if request.path == "/wait" { for await _ in gate {} }
            return WebResponse(text: request.path)
        }
        try await withWebServer(started) { server in
            async let waiting = fetch(server, "/wait")
            let opened = try await fetch(server, "/open")
            #expect(opened.status == 200)
            let waited = try await waiting
            #expect(waited.body == Data("/wait".utf8))
        }
    }

    @Test(arguments: [(204, nil), (304, "7")])
    func someStatusesHaveNoBody(status: Int, length: String?) async throws {
        let server = try HTTPServer { _ in
            WebResponse(status: status, headers: [WebHeader("ETag", "\"x\"")], body: Data("ignored".utf8))
        }
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        try await withHTTPClient(configuration: configuration) { client in
            // The second answer on the same connection shows whether a body followed the first.
            for _ in 0..<2 {
                let url = "http://127.0.0.1:\(server.port)/"
                let response = try await client.fetch(HTTPRequest(url: url, allowPrivateNetworks: true))
                #expect(response.status == status)
                #expect(response.headers["content-length"] == length)
                #expect(response.headers["etag"] == "\"x\"")
            }
        }
        await server.stop()
    }

    @Test func aBodyThatWasNotMadeHasNoLength() async throws {
        let server = try HTTPServer { request in
            let status = request.method == "HEAD" ? 200 : 304
            return WebResponse(status: status, headers: [WebHeader("ETag", "\"x\"")], content: .omitted)
        }
        let configuration = HTTPClientConfiguration(userAgent: "Tidings/test", proxy: .none)
        try await withHTTPClient(configuration: configuration) { client in
            for (method, status) in [("GET", 304), ("HEAD", 200), ("GET", 304)] {
                let url = "http://127.0.0.1:\(server.port)/"
                let request = HTTPRequest(url: url, method: method, allowPrivateNetworks: true)
                let response = try await client.fetch(request)
                #expect(response.status == status)
                #expect(response.body.isEmpty)
                #expect(response.headers["etag"] == "\"x\"")
                for name in ["content-length", "transfer-encoding"] { #expect(response.headers[name] == nil) }
            }
        }
        await server.stop()
    }

    @Test func aBodyAboveTheLimitIsRefused() async throws {
        let handled = Lock(0)
        let limits = WebServerLimits { $0.maximumBodyBytes = 1000 }
        let started = try HTTPServer(limits: limits) { request in
            handled.withLock { $0 += 1 }
            return WebResponse(text: "\(request.body.count)")
        }
        try await withWebServer(started) { server in
            let taken = try await fetch(server, "/", method: "PUT", body: Data(count: 1000))
            #expect(taken.body == Data("1000".utf8))
            let refused = try await fetch(server, "/", method: "PUT", body: Data(count: 1001))
            #expect(refused.status == 413)
            let chunked = [HTTPHeader("Transfer-Encoding", "chunked")]
            await #expect(throws: HTTPFailure.self) {
                try await fetch(server, "/", method: "PUT", headers: chunked, body: Data(count: 100_000))
            }
        }
        #expect(handled.withLock { $0 } == 1)
    }

    @Test func headersAboveTheLimitAreRefused() async throws {
        let limits = WebServerLimits { $0.maximumHeaderBytes = 4096 }
        let started = try HTTPServer(limits: limits) { _ in WebResponse() }
        try await withWebServer(started) { server in
            let long = String(repeating: "a", count: 10_000)
            let refused = try await fetch(server, "/", headers: [HTTPHeader("X-Long", long)])
            #expect(refused.status == 431)
            let taken = try await fetch(server, "/")
            #expect(taken.status == 200)
        }
    }

    @Test func stoppingAnswersWhatWaits() async throws {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let server = try HTTPServer { _ in
            arrive.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return WebResponse()
        }
        async let response = fetch(server, "/")
        for await _ in arrivals { break }
        await server.stop()
        await server.stop()
        let answer = try await response
        #expect(answer.status == 503)
        await #expect(throws: HTTPFailure.self) { try await fetch(server, "/") }
    }

    @Test func aPortInUseIsAnError() async throws {
        let started = try HTTPServer { _ in WebResponse() }
        try await withWebServer(started) { server in
            let error = #expect(throws: WebServerError.self) {
                _ = try HTTPServer(port: server.port) { _ in WebResponse() }
            }
            #expect(error?.errno == EADDRINUSE)
            #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
        }
    }

    @Test func aHostThatIsNoAddressIsAnError() {
        #expect(throws: WebServerError.self) { try HTTPServer(host: "example.com") { _ in WebResponse() } }
    }
}

extension WebServerLimits {
    /// Creates the default limits, changed by `change`.
    init(_ change: (inout WebServerLimits) -> Void) {
        self.init()
        change(&self)
    }
}
