// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Locking
import TestSupport
import Testing
import WebServer

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(3))) struct HTTPClientTests {
    static let configuration = HTTPClientConfiguration(
        userAgent: "Tidings/test (+http://localhost)",
        proxy: .none
    )

    /// Returns a request that may reach the loopback addresses, where all servers of these tests listen.
    func local(_ port: Int, _ path: String = "/", limits: HTTPLimits = HTTPLimits()) -> HTTPRequest {
        HTTPRequest(url: "http://127.0.0.1:\(port)\(path)", limits: limits, allowPrivateNetworks: true)
    }

    func withClient<Value>(_ body: (HTTPClient) async throws -> Value) async throws -> Value {
        try await withHTTPClient(configuration: Self.configuration, body)
    }

    /// Returns the failure of a request; records an issue and returns nil if the request succeeds.
    func failure(_ client: HTTPClient, _ request: HTTPRequest) async -> HTTPFailure? {
        do {
            let response = try await client.fetch(request)
            Issue.record("\(request.url) answered \(response.status)")
            return nil
        } catch {
            return error
        }
    }

    // MARK: Answers

    @Test func theAnswerIsCompleteAndTheUserAgentIsSent() async throws {
        try await withServer { request in
            WebResponse(
                status: 203,
                headers: [WebHeader("X-A", "1"), WebHeader("ETag", "\"e\""), WebHeader("x-a", "2")],
                text:
                    "\(request.method) \(request.path) \(request.header("user-agent") ?? "") \(request.header("X-Q") ?? "")"
            )
        } _: { client, port in
            var request = local(port, "/a%20b")
            request.headers = [HTTPHeader("X-Q", "")]
            let response = try await client.fetch(request)
            #expect(response.status == 203)
            #expect(response.headers.values("x-A") == ["1", "2"])
            #expect(String(decoding: response.body, as: UTF8.self) == "GET /a b Tidings/test (+http://localhost) ")
            #expect(response.finalURL == request.url)
            #expect(response.hops.isEmpty)
            #expect(response.httpVersion == "1.1")
            #expect(response.connectedAddress == "127.0.0.1")
        }
    }

    @Test func aConditionalRequestGetsNotModifiedWithoutBody() async throws {
        try await withServer { request in
            let matches = request.header("If-None-Match") == "W/\"a b\"" && request.header("If-Modified-Since") == "odd"
            return WebResponse(
                status: matches ? 304 : 200,
                headers: [WebHeader("ETag", "W/\"a b\"")],
                body: Data("x".utf8)
            )
        } _: { client, port in
            var request = local(port)
            let first = try await client.fetch(request)
            #expect(first.body == Data("x".utf8))
            request.headers = [HTTPHeader("If-None-Match", "W/\"a b\""), HTTPHeader("If-Modified-Since", "odd")]
            let response = try await client.fetch(request)
            #expect(response.status == 304)
            #expect(response.body.isEmpty)
            #expect(response.headers["etag"] == "W/\"a b\"")
        }
    }

    @Test func aBodyIsSentAsItIs() async throws {
        try await withServer { request in
            WebResponse(headers: [WebHeader("X-Type", request.header("Content-Type") ?? "none")], body: request.body)
        } _: { client, port in
            var request = local(port)
            request.method = "POST"
            request.body = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
            let response = try await client.fetch(request)
            #expect(response.body == request.body)
            #expect(response.headers["x-type"] == "none")
        }
    }

    @Test func aHeadRequestHasNoBody() async throws {
        try await withServer(WebResponse(text: "body")) { client, port in
            var request = local(port)
            request.method = "HEAD"
            let response = try await client.fetch(request)
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
            #expect(response.headers["content-length"] == "4")
        }
    }

    @Test func aHeaderThatWouldBreakTheMessageIsNotSent() async throws {
        try await withClient { client in
            var request = local(1)
            request.headers = [HTTPHeader("X-A", "1\r\nX-B: 2")]
            #expect(await failure(client, request)?.kind == .protocolError)
            request.headers = [HTTPHeader("X A", "1")]
            #expect(await failure(client, request)?.kind == .protocolError)
        }
    }

    @Test func connectionsAreUsedAgain() async throws {
        let connections = Lock(0)
        try await withConnections { connection in
            connections.withLock { $0 += 1 }
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            while connection.send(answer), !connection.receiveHead().isEmpty {}
        } _: { client, port in
            let first = try await client.fetch(local(port))
            #expect(first.status == 200)
            let second = try await client.fetch(local(port))
            #expect(second.status == 200)
        }
        #expect(connections.withLock { $0 } == 1)
    }

    @Test func twoHundredAndFiftySixTransfersRunAtATime() async throws {
        let count = 256
        let waiting = Lock<[CheckedContinuation<Void, Never>]>([])
        try await withServer { request in
            // Nobody is answered before everybody is here.
            await withCheckedContinuation { continuation in
                let all = waiting.withLock { waiting -> [CheckedContinuation<Void, Never>] in
                    waiting.append(continuation)
                    return waiting.count == count ? waiting : []
                }
                for continuation in all { continuation.resume() }
            }
            return WebResponse(text: request.path)
        } _: { client, port in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for index in 0..<count {
                    group.addTask {
                        let response = try await client.fetch(local(port, "/\(index)"))
                        return response.body == Data("/\(index)".utf8)
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    // MARK: Failures

    @Test func aFailureOfLibcurlsPollEndsTheTransfersInFlightAndNoLaterOne() async throws {
        let connections = 12
        let arrived = AsyncStream<Void>.makeStream()
        try await withConnections { connection in
            if connection.requestHead.contains("/slow") {
                arrived.continuation.yield()
                _ = connection.waitForPeer(milliseconds: 60_000)
            } else {
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } _: { client, port in
            await withTaskGroup(of: HTTPFailure?.self) { group in
                for _ in 0..<connections { group.addTask { await failure(client, local(port, "/slow")) } }
                var waiting = arrived.stream.makeAsyncIterator()
                for _ in 0..<connections { await waiting.next() }
                // poll(2) fails if it gets more descriptors than the process may have.
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                var low = rlimit(rlim_cur: 8, rlim_max: limit.rlim_max)
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &low)
                // Another transfer wakes the thread, which then polls again.
                _ = client.start(local(port, "/more")) { _ in }
                for await failure in group { #expect(failure?.kind == .protocolError) }
                setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            }
            let later = try await client.fetch(local(port, "/later"))
            #expect(later.body == Data("ok".utf8))
        }
    }

    @Test func eachFailureHasItsKind() async throws {
        try await withConnections { connection in
            if connection.requestHead.contains("/garbage") { _ = connection.send("what?\r\n\r\n") }
            if connection.requestHead.contains("/short") {
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            }
            if connection.requestHead.contains("/encoding") {
                // It begins as gzip does (RFC 1952 §2.3.1): plain bytes under this header would count as plain.
                _ = connection.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n")
                _ = connection.send([0x1f, 0x8b, 0x62, 0x63])
            }
        } _: { client, port in
            #expect(await failure(client, local(port, "/nothing"))?.kind == .connectionFailed)
            #expect(await failure(client, local(port, "/short"))?.kind == .connectionFailed)
            #expect(await failure(client, local(port, "/garbage"))?.kind == .protocolError)
            #expect(await failure(client, local(port, "/encoding"))?.kind == .badContentCoding)
            var request = local(port)
            // No label is that long (RFC 1035 §2.3.4), so no name server is asked.
            request.url = "http://\(String(repeating: "a", count: 70)).invalid/"
            #expect(await failure(client, request)?.kind == .nameNotResolved)
            request.url = "http://me:secret@127.0.0.1:1/"
            let refused = await failure(client, request)
            #expect(refused?.kind == .connectionFailed)
            #expect(refused?.url == "http://127.0.0.1:1/")
            request.url = "no url"
            #expect(await failure(client, request)?.kind == .badURL)
            request.url = "file:///etc/passwd"
            #expect(await failure(client, request)?.kind == .refusedScheme)
        }
    }

    @Test func anOriginWithoutTLSIsNoSecureOne() async throws {
        try await withServer(WebResponse()) { client, port in
            var request = local(port)
            request.url = "https://127.0.0.1:\(port)/"
            #expect(await failure(client, request)?.kind == .tls)
        }
    }

    // MARK: Ends

    @Test func aCancelledTaskCancelsItsTransfer() async throws {
        try await withHeldServer { server, arrived in
            try await withClient { client in
                let request = local(server.port)
                let task = Task { await failure(client, request)?.kind }
                await arrived()
                task.cancel()
                #expect(await task.value == .cancelled)
            }
        }
    }

    @Test func aTaskThatIsCancelledAlreadyGetsCancelled() async throws {
        try await withHeldServer { server, _ in
            try await withClient { client in
                let request = local(server.port)
                let kind = await withTaskGroup(of: HTTPFailure.Kind?.self) { group in
                    group.cancelAll()
                    group.addTask { await failure(client, request)?.kind }
                    return await group.next() ?? nil
                }
                #expect(kind == .cancelled)
            }
        }
    }

    @Test func theEndOfTheScopeCompletesWhatIsUnderWay() async throws {
        try await withHeldServer { server, arrived in
            let results = Lock<[HTTPFailure.Kind?]>([])
            let client = try await withClient { client in
                for _ in 0..<3 {
                    client.start(local(server.port)) { result in
                        guard case .failure(let failure) = result else { return results.withLock { $0.append(nil) } }
                        results.withLock { $0.append(failure.kind) }
                    }
                }
                await arrived()
                return client
            }
            #expect(results.withLock { $0 } == [.cancelled, .cancelled, .cancelled])
            #expect(await failure(client, local(server.port))?.kind == .cancelled)
        }
    }

    @Test func aThreadOfItsOwnMayUseTheClient() async throws {
        let started = try HTTPServer { _ in WebResponse(text: "ok") }
        try await withWebServer(started) { server in
            let request = local(server.port)
            let body: Data? = await withCheckedContinuation { continuation in
                let thread = Thread {
                    let body = withHTTPClient(configuration: Self.configuration) { client in
                        let answers = Lock<Data?>(nil)
                        let answered = DispatchSemaphore(value: 0)
                        client.start(request) { result in
                            answers.withLock { $0 = (try? result.get())?.body }
                            answered.signal()
                        }
                        answered.wait()
                        return answers.withLock { $0 }
                    }
                    continuation.resume(returning: body)
                }
                thread.start()
            }
            #expect(body == Data("ok".utf8))
        }
    }

    // MARK: Support

    /// Runs `body` with a client and the port of a server that answers each request with `handler`.
    func withServer(
        handler: @escaping HTTPServer.Handler,
        _ body: (HTTPClient, Int) async throws -> Void
    ) async throws {
        try await withWebServer(try HTTPServer(handler: handler)) { server in
            try await withClient { client in try await body(client, server.port) }
        }
    }

    /// Runs `body` with a client and the port of a server that answers each request with `response`.
    func withServer(_ response: WebResponse, _ body: (HTTPClient, Int) async throws -> Void) async throws {
        try await withServer(handler: { _ in response }, body)
    }

    /// Runs `body` with a client and the port of a server that writes bytes to each connection.
    func withConnections(
        answer: @escaping @Sendable (RawServer.Connection) -> Void,
        _ body: (HTTPClient, Int) async throws -> Void
    ) async throws {
        try await withRawServer(answer: answer) { server in
            try await withClient { client in try await body(client, server.port) }
        }
    }

    /// Runs `body` with a server that never answers by itself, and a wait for the first request.
    func withHeldServer(
        _ body: (HTTPServer, _ arrived: () async -> Void) async throws -> Void
    ) async throws {
        let (arrivals, arrive) = AsyncStream.makeStream(of: Void.self)
        let started = try HTTPServer { _ in
            arrive.yield()
            // Ends by the cancellation that stopping the server brings.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            return WebResponse()
        }
        try await withWebServer(started) { server in
            try await body(server) {
                for await _ in arrivals { break }
            }
        }
    }
}
