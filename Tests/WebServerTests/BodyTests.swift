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
        #expect(answer.contains("HTTP/1.1 401 "))
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
        let limits = WebServerLimits(maximumBodyBytes: 1000, maximumBodyBytesOfClient: 1500)
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
        let limits = WebServerLimits(
            maximumBodyBytes: 1000,
            maximumBodyBytesOfClient: 2000,
            maximumBodyBytesInAll: 2500
        )
        let core = ServerCore(limits: limits) { _ in .refused(WebResponse()) }
        #expect(core.refusal(ofBodyFrom: "192.0.2.1", growing: 0, to: 1000) == nil)
        #expect(core.refusal(ofBodyFrom: "192.0.2.2", growing: 0, to: 1000) == nil)
        #expect(core.refusal(ofBodyFrom: "192.0.2.3", growing: 0, to: 501)?.status == 503)
        #expect(core.refusal(ofBodyFrom: "192.0.2.3", growing: 0, to: 500) == nil)
        #expect(core.counts.refusedBodies == 1)
    }
}
