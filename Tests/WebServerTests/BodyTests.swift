// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import WebServer

/// Tests of the bodies of requests: when they are read, and how much memory they take.
@Suite(.timeLimit(.minutes(2))) struct BodyTests {
    private static func post(_ announced: Int) -> String {
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(announced)\r\n\r\n"
    }

    @Test func aRequestThatIsRefusedByItsHeadersIsAnsweredBeforeItsBody() async throws {
        let server = try HTTPServer { head in
            .refused(WebResponse(status: 401, text: "refused \(head.body.count)\n"))
        }
        let client = try RawClient(port: server.port)
        client.send(Self.post(1000))
        let answer = try client.read(until: "refused 0\n")
        #expect(answer.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        await server.stop()
    }

    @Test func aRefusedBodyIsDiscardedSoThatTheConnectionIsNotReset() async throws {
        let server = try HTTPServer { _ in .refused(WebResponse(status: 401, text: "refused\n")) }
        let client = try RawClient(port: server.port)
        client.send(Self.post(900_000))
        // A server that closes the connection now resets it when the body comes.
        #expect(try client.readToEnd().hasSuffix("refused\n"))
        #expect(client.send(String(repeating: "x", count: 900_000)))
        await server.stop()
    }

    @Test func aClientThatExpectsAnAnswerBeforeItsBodyGetsIt() async throws {
        let server = try HTTPServer { _ in .refused(WebResponse(status: 401, text: "refused\n")) }
        let client = try RawClient(port: server.port)
        client.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 900000\r\n\r\n")
        let answer = try client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.hasSuffix("refused\n"))
        await server.stop()
    }

    @Test func aRequestThatNeedsNoBodyUsesNoBudgetForIt() async throws {
        let limits = WebServerLimits {
            $0.maximumBodyBytesOfClient = 10
            $0.maximumBodyBytesInAll = 10
        }
        let server = try HTTPServer(limits: limits) { _ in
            .accepted(maximumBodyBytes: 0) { request in .now(WebResponse(text: "kept \(request.body.count)\n")) }
        }
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            client.send(
                "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 4096\r\n\r\n" + String(repeating: "x", count: 4096)
            )
            #expect(try client.read(until: "kept 0\n").contains("HTTP/1.1 200 "))
        }
        client.send("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 4097\r\n\r\n")
        #expect(try client.readToEnd().hasPrefix("HTTP/1.1 413 "))
        #expect(server.counts.oversizedBodies == 1)
        #expect(server.counts.refusedBodies == 0)
        await server.stop()
    }

    @Test func clientsBehindAProxyHaveABudgetEach() async throws {
        let limits = WebServerLimits {
            $0.maximumBodyBytes = 1000
            $0.maximumBodyBytesOfClient = 1500
        }
        let server = try HTTPServer(limits: limits) { head in
            .accepted(client: head.header("X-Client")) { request in
                .now(WebResponse(text: "taken \(request.body.count)\n"))
            }
        }
        func post(_ client: String) -> String {
            "POST / HTTP/1.1\r\nHost: x\r\nX-Client: \(client)\r\nContent-Length: 1000\r\n\r\n"
        }
        let body = String(repeating: "x", count: 1000)
        let first = try RawClient(port: server.port)
        first.send(post("a") + body.dropLast())
        // The server reads the first body in its own time.
        while server.counts.refusedBodies == 0 {
            let other = try RawClient(port: server.port)
            other.send(post("a") + body)
            _ = try other.read(until: "\r\n\r\n")
        }
        let second = try RawClient(port: server.port)
        second.send(post("b") + body)
        #expect(try second.read(until: "taken 1000\n").contains("200 OK"))
        await server.stop()
    }

    @Test(
        arguments: [
            ("GET /?\((0..<250).map { "a\($0)=b" }.joined(separator: "&")) HTTP/1.1\r\n", [414, 431]),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: identity\r\n", [501]),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n", [501]),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", [501]),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n", [400]),
            ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n", [400]),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n", [400]),
            ("POST / HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n", [400]),
            ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", [400]),
            ("POST / HTTP/1.1\r\nContent-Length : 30\r\n", [400]),
            ("POST / HTTP/1.1\r\nContent-Length\t: 30\r\n", [400]),
            ("GET / HTTP/1.1\r\nHost: y\r\n", [400]), ("GET / HTTP/1.1\r\nX-\u{0}A: b\r\n", [400]),
            ("GET / HTTP/1.1\r\nX-A: b\u{0}\r\n", [400]), ("GET / HTTP/1.1\r\nX-A: b\u{0}c\r\nX-B: d\r\n", [400]),
            ("GET / HTTP/1.1\r\nX-A: b\r\n\u{0}X-B: c\r\n", [400]), ("GET / HTTP/1.1\r\nX-A: b\rX-B: c\r\n", [400]),
            ("GET / HTTP/1.1\r\nX-A: b\r\r\n", [400]), ("GET / HTTP/1.1\r\nX\r-A: b\r\n", [400]),
            ("GET / HTTP/1.1\nX-A: b\r\n", [400]), ("GET / HTTP/1.1\r\nX-A: b\nX-B: c\r\n", [400]),
            ("GET / HTTP/1.1\r\nX-A: b\r\n c\r\n", [400]), ("GET / HTTP/1.1\r\nX-A: b\r\n \r\n", [400]),
            ("GET / HTTP/1.1\r\n X-A: b\r\n", [400]), ("GET / HTTP/1.1\r\nX-A: b\r\n\tX-B: c\r\nX-C: d\r\n", [400]),
            ("GET / HTTP/1.1\r\nX A: b\r\n", [400]), ("GET / HTTP/1.1\r\nX(A): b\r\n", [400]),
            ("GET / HTTP/1.1\r\n: b\r\n", [400]), ("GET / HTTP/1.1\r\nX-A: \u{7}\r\n", [400]),
            ("GET / HTTP/1.1\r\nX-A: \u{7F}\r\n", [400]), ("GET /a\u{0}b HTTP/1.1\r\n", [400]),
            ("GET /a b HTTP/1.1\r\n", [400]), ("GET  / HTTP/1.1\r\n", [400]), ("GET /\ra HTTP/1.1\r\n", [400]),
            ("GE\u{0}T / HTTP/1.1\r\n", [400]), ("G(T / HTTP/1.1\r\n", [400]),
            ("GET /?a=\u{0}b HTTP/1.1\r\n", [400]),
        ] as [(String, [Int])]
    )
    func aRequestThatCanBeReadInTwoWaysIsRefusedAndTheConnectionCloses(_ head: String, _ statuses: [Int]) async throws {
        let server = try HTTPServer { _ in .accepted { _ in .now(WebResponse(text: "taken\n")) } }
        let client = try RawClient(port: server.port)
        client.send(head + "Host: x\r\n\r\n0\r\n\r\n")
        let answer = try client.readToEnd()
        #expect(statuses.contains { answer.hasPrefix("HTTP/1.1 \($0) ") }, "\(answer)")
        #expect(!answer.contains("taken"))
        await server.stop()
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nX-A:b\r\nX-Empty:\r\nX-Space: \t \r\nX-Tab:\ta\tb\r\nX-Text: \u{E9}\r\n",
        "GET /a%20b?c=%00&d=e%2Ff&g HTTP/1.1\r\nCookie: a=b; c=\"d\"; e\r\n", "GET / HTTP/1.1\r\n",
        "\r\nGET / HTTP/1.0\r\n",
        "GET / HTTP/1.1\r\nX-Long: \(String(repeating: "x", count: 20_000))\r\nX-B: c\r\n",
        "POST /?a HTTP/1.1\r\nX-!#$%&'*+-.^_`|~: b\r\nContent-Length: 0\r\n",
    ])
    func aValidRequestIsTakenAlsoBehindAnotherOne(_ head: String) async throws {
        let server = try HTTPServer { _ in .accepted { _ in .now(WebResponse(text: "taken\n")) } }
        let client = try RawClient(port: server.port)
        client.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + head + "Host: x\r\n\r\n")
        for _ in 0..<2 { #expect(try client.read(until: "taken\n").contains("HTTP/1.1 200 OK")) }
        await server.stop()
    }

    @Test func aRefusedRequestWithoutABodyKeepsItsConnection() async throws {
        let server = try HTTPServer { _ in .refused(WebResponse(status: 404, text: "nothing\n")) }
        let client = try RawClient(port: server.port)
        for _ in 0..<2 {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.read(until: "nothing\n").contains("HTTP/1.1 404 "))
        }
        await server.stop()
    }

    @Test func aClientWithTooManyBodiesGets429UntilOneIsAnswered() async throws {
        let limits = WebServerLimits {
            $0.maximumBodyBytes = 1000
            $0.maximumBodyBytesOfClient = 1500
        }
        let server = try HTTPServer(limits: limits) { _ in
            .accepted { request in .now(WebResponse(text: "taken \(request.body.count)\n")) }
        }
        let body = String(repeating: "x", count: 1000)
        let first = try RawClient(port: server.port)
        first.send(Self.post(1000) + body.dropLast())
        let second = try RawClient(port: server.port)
        var refused = ""
        // The server reads the first body in its own time.
        while !refused.contains("429") {
            let other = try RawClient(port: server.port)
            other.send(Self.post(1000) + body)
            refused = try other.read(until: "\r\n\r\n")
        }
        #expect(refused.contains("Retry-After: 1"))
        #expect(server.counts.refusedBodies == 1)
        first.send("x")
        #expect(try first.read(until: "taken 1000\n").contains("200 OK"))
        first.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        _ = try first.readToEnd()
        second.send(Self.post(1000) + body)
        #expect(try second.read(until: "taken 1000\n").contains("200 OK"))
        await server.stop()
    }

    @Test func allBodiesTogetherHaveALimit() {
        let limits = WebServerLimits {
            $0.maximumBodyBytes = 1000
            $0.maximumBodyBytesOfClient = 2000
            $0.maximumBodyBytesInAll = 2500
        }
        let core = ServerCore(limits: limits, responder: WebResponder { _ in .refused(WebResponse()) })
        func reserve(_ client: String, _ bytes: Int) -> WebRefusal? {
            core.reserve(BodyTerms(client: client, maximumBytes: 1000), growing: 0, to: bytes)
        }
        #expect(reserve("192.0.2.1", 1000) == nil)
        #expect(reserve("192.0.2.2", 1000) == nil)
        #expect(reserve("192.0.2.3", 501) == .tooManyBodies)
        #expect(reserve("192.0.2.3", 500) == nil)
        #expect(core.counts.refusedBodies == 1)
    }

    // libmicrohttpd takes a bare LF for the end of a line between chunks, so a proxy may find another request there.
    @Test func nothingFollowsAChunkedBodyOnItsConnection() async throws {
        let server = try HTTPServer { _ in .accepted { request in .now(WebResponse(text: "\(request.path)\n")) } }
        let client = try RawClient(port: server.port)
        client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")
        client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = try client.readToEnd()
        #expect(answer.contains("/a\n"))
        #expect(!answer.contains("/b\n"))
        await server.stop()
    }

    @Test func aBodyOfUnknownLengthThatIsTooLargeIsAnsweredBeforeItsEnd() async throws {
        let limits = WebServerLimits { $0.maximumBodyBytes = 1000 }
        let server = try HTTPServer(limits: limits) { _ in .accepted { _ in .now(WebResponse(text: "taken\n")) } }
        let client = try RawClient(port: server.port)
        let piece = "400\r\n" + String(repeating: "x", count: 1024) + "\r\n"
        client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + piece)
        #expect(try client.read(until: "\r\n\r\n").contains("HTTP/1.1 413 "))
        await server.stop()
    }
}
