// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Glibc
import MessageBus
import TestSupport
import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(3))) struct WebStreamTests {
    /// The events of a stream that a test can wait for.
    private enum Sign: Sendable, Equatable {
        case drained
        case ended(WebStream.End)
    }

    private typealias Signs = Inbox<Sign>

    private static func makeSigns() -> Signs { Signs(maximumCount: 100_000, maximumBytes: .max) }

    private static func makeStream(
        _ signs: Signs,
        maximumPendingBytes: Int = WebStream.defaultMaximumPendingBytes
    ) -> WebStream {
        WebStream(
            maximumPendingBytes: maximumPendingBytes,
            onDrained: { _ in signs.post(.drained) },
            onEnd: { signs.post(.ended($1)) }
        )
    }

    private static func response(_ stream: WebStream) -> WebResponse {
        WebResponse(headers: [WebHeader("Content-Type", "text/event-stream")], content: .stream(stream))
    }

    /// A server with one stream, and a client that has asked for it.
    private struct Scene {
        let signs = makeSigns()
        let stream: WebStream
        let server: HTTPServer
        let client: RawClient

        /// Makes a stream, of which `text` is already written.
        init(
            _ text: String? = nil,
            version: String = "1.1",
            maximumPendingBytes: Int = WebStream.defaultMaximumPendingBytes,
            receiveBufferBytes: Int32? = nil
        ) throws {
            let stream = makeStream(signs, maximumPendingBytes: maximumPendingBytes)
            if let text { stream.write(WebChunk(text)) }
            server = try HTTPServer { _ in .accepted { _ in .now(response(stream)) } }
            client = try RawClient(port: server.port, receiveBufferBytes: receiveBufferBytes)
            client.send("GET / HTTP/\(version)\r\nHost: x\r\n\r\n")
            self.stream = stream
        }
    }

    @Test func chunksArriveWhenTheyAreWrittenAndTheEndClosesTheBody() async throws {
        let scene = try Scene("early\n")
        let (stream, server, client) = (scene.stream, scene.server, scene.client)
        let head = try client.read(until: "early\n\r\n")
        #expect(head.contains("HTTP/1.1 200 OK\r\n"))
        #expect(head.contains("Transfer-Encoding: chunked\r\n"))
        #expect(head.hasSuffix("\r\n\r\n6\r\nearly\n\r\n"))
        #expect(await scene.signs.next() == .drained)
        #expect(server.counts.streams == 1)
        #expect(stream.write(WebChunk("late\n")) == .sent)
        #expect(try client.read(until: "late\n\r\n") == "5\r\nlate\n\r\n")
        stream.finish()
        #expect(await scene.signs.next() == .ended(.finished))
        #expect(try client.readToEnd() == "0\r\n\r\n")
        #expect(stream.write(WebChunk("x")) == .closed)
        await server.stop()
        #expect(server.counts.connections == 0)
    }

    @Test func anHTTP10ReaderGetsThePlainBytes() async throws {
        let scene = try Scene(version: "1.0")
        scene.stream.write(WebChunk("plain\n"))
        let text = try scene.client.read(until: "plain\n")
        #expect(!text.contains("chunked"))
        #expect(text.hasSuffix("\r\n\r\nplain\n"))
        scene.stream.finish()
        #expect(try scene.client.readToEnd() == "")
        await scene.server.stop()
    }

    @Test func aReaderThatVanishesWhileNothingIsWrittenEndsItsStream() async throws {
        let signs = Self.makeSigns()
        let stream = Self.makeStream(signs)
        stream.write(WebChunk(":\n\n"))
        let server = try HTTPServer { _ in .accepted { _ in .now(Self.response(stream)) } }
        do {
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try client.read(until: ":\n\n")
            #expect(await signs.next() == .drained)
        }
        #expect(await signs.next() == .ended(.readerGone))
        #expect(stream.isEnded)
        await server.stop()
    }

    @Test func whatASlowReaderDoesNotTakeWaitsUpToTheLimitAndArrivesWhole() async throws {
        let scene = try Scene(version: "1.0", maximumPendingBytes: 64 * 1024, receiveBufferBytes: 4096)
        #expect(await scene.signs.next() == .drained)
        let chunk = WebChunk(String(repeating: "x", count: 4 * 1024))
        var taken = 0
        var outcomes: Set<WebStream.WriteResult> = []
        for _ in 0..<10_000 {
            let outcome = scene.stream.write(chunk)
            outcomes.insert(outcome)
            guard outcome == .sent || outcome == .waiting else { break }
            taken += chunk.count
        }
        #expect(outcomes == [.sent, .waiting, .full])
        scene.stream.finish()
        let text = try scene.client.readToEnd()
        let body = try #require(text.range(of: "\r\n\r\n")).upperBound
        #expect(text[body...].utf8.count == taken)
        await scene.server.stop()
    }

    /// Runs `body` with a stream whose reader takes nothing, after the kernel has accepted `accepted` bytes of it.
    private func withFullStream(_ body: (_ stream: WebStream, _ client: RawClient, _ accepted: Int) throws -> Void)
        async throws
    {
        let scene = try Scene(version: "1.0", receiveBufferBytes: 4096)
        #expect(await scene.signs.next() == .drained)
        let chunk = WebChunk(String(repeating: "x", count: 1024))
        var accepted = 0
        while scene.stream.write(chunk) == .sent { accepted += chunk.count }
        for _ in 0..<1024 { scene.stream.write(chunk) }
        try body(scene.stream, scene.client, accepted)
        await scene.server.stop()
    }

    @Test func theKernelTakesLittleForASlowReader() async throws {
        try await withFullStream { _, _, accepted in
            #expect(accepted > 0)
            #expect(accepted <= 128 * 1024)
        }
    }

    @Test func aReaderThatTakesBytesIsNotStalled() async throws {
        try await withFullStream { stream, client, _ in
            let later = monotonicMilliseconds() + 3_600_000
            #expect(stream.isStalled(since: later, now: later))
            while stream.isStalled(since: later, now: later) { _ = try client.read(count: 1024) }
            #expect(!stream.isDrained)
        }
    }

    @Test func theServersStopEndsStreamsInOrder() async throws {
        let scene = try Scene("a\n")
        _ = try scene.client.read(until: "a\n\r\n")
        await scene.server.stop()
        #expect(try scene.client.readToEnd() == "0\r\n\r\n")
    }

    @Test func aStreamThatIsFinishedBeforeItsHeadersAreSentHasAWholeBody() async throws {
        let signs = Self.makeSigns()
        let stream = Self.makeStream(signs)
        stream.write(WebChunk("a\n"))
        stream.finish()
        let server = try HTTPServer { _ in .accepted { _ in .now(Self.response(stream)) } }
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try client.readToEnd().hasSuffix("\r\n\r\n2\r\na\n\r\n0\r\n\r\n"))
        #expect(await signs.next() == .ended(.finished))
        await server.stop()
    }

    @Test func aStreamThatStartsWhileTheServerStopsEnds() async throws {
        let signs = Self.makeSigns()
        let late = Self.makeStream(signs)
        // The server ends this stream last, because it has pending chunks that its reader does not accept.
        let hasEnded = DispatchSemaphore(value: 0)
        let stuck = WebStream(onDrained: { _ in signs.post(.drained) }) { _, _ in hasEnded.signal() }
        let (requests, request) = AsyncStream.makeStream(of: Void.self)
        let server = try HTTPServer { incoming in
            .accepted { _ in
                guard incoming.path == "/late" else { return .now(Self.response(stuck)) }
                request.yield()
                hasEnded.wait()
                return .now(Self.response(late))
            }
        }
        let reader = try RawClient(port: server.port, receiveBufferBytes: 4096)
        reader.send("GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(await signs.next() == .drained)
        let chunk = WebChunk(String(repeating: "x", count: 32 * 1024))
        while stuck.write(chunk) == .sent {}
        let client = try RawClient(port: server.port)
        client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n")
        for await _ in requests { break }
        await server.stop()
        #expect(late.isEnded)
        #expect(server.counts.connections == 0)
        #expect(server.counts.streams == 0)
        // The connection is closed, whether the headers were still sent or not.
        _ = try client.readToEnd()
    }

    @Test func aStoppingServerWatchesNoFurtherStream() throws {
        let watcher = try #require(StreamWatcher { _, _ in })
        let core = ServerCore(limits: WebServerLimits(), responder: WebResponder { _ in .refused(WebResponse()) })
        let stream = Self.makeStream(Self.makeSigns())
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        #expect(watcher.add(stream, socket: socket, awaitsRoom: false))
        watcher.remove(stream, socket: socket)
        core.stopTakingRequests(watcher)
        #expect(!watcher.add(stream, socket: socket, awaitsRoom: false))
        #expect(watcher.count == 0)
    }

    @Test func aRequestThatDripsIsCutOffAtItsDeadline() async throws {
        let server = try HTTPServer(limits: WebServerLimits { $0.requestTimeout = .seconds(1) }) { _ in
            .refused(WebResponse(text: ""))
        }
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n")
        // Each byte is activity, which an idle timeout counts from.
        while client.send("X"), !client.waitForPeer(milliseconds: 50) {}
        #expect(try client.readToEnd() == "")
        #expect(server.counts.requestTimeouts == 1)
        await server.stop()
    }

    @Test func aConnectionWithoutARequestIsClosedAndIsNoSlowRequest() async throws {
        let server = try HTTPServer(limits: WebServerLimits { $0.requestTimeout = .seconds(1) }) { _ in
            .accepted { _ in .now(WebResponse(text: "hello")) }
        }
        let (unused, kept) = (try RawClient(port: server.port), try RawClient(port: server.port))
        kept.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try kept.read(until: "hello").contains("200 OK"))
        #expect(try unused.readToEnd() == "")
        #expect(try kept.readToEnd() == "")
        #expect(server.counts.requestTimeouts == 0)
        await server.stop()
    }

    @Test func aClientWithTooManyConnectionsIsRefusedTheNextOne() async throws {
        let limits = WebServerLimits { $0.maximumConnectionsPerClient = 2 }
        let server = try HTTPServer(limits: limits) { _ in .accepted { _ in .now(WebResponse(text: "hello")) } }
        let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
        #expect(try clients[0].read(until: "hello").contains("200 OK"))
        #expect(try clients[1].read(until: "hello").contains("200 OK"))
        #expect(try clients[2].readToEnd() == "")
        #expect(server.counts.rejectedByClientLimit == 1)
        await server.stop()
    }

    @Test func aBodyWithoutLengthThatIsTooLargeIsAnsweredWith413() async throws {
        let limits = WebServerLimits { $0.maximumBodyBytes = 1000 }
        let server = try HTTPServer(limits: limits) { _ in .accepted { _ in .now(WebResponse(text: "taken")) } }
        let client = try RawClient(port: server.port)
        let piece = "3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n"
        client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + piece + "1\r\nx\r\n0\r\n\r\n")
        #expect(try client.read(until: "accepted.\n").contains("HTTP/1.1 413 "))
        #expect(server.counts.oversizedBodies == 1)
        await server.stop()
    }

    @Test func oneBodyIsSharedByManyResponses() async throws {
        let body = SharedBytes(Data("shared".utf8))
        let server = try HTTPServer { _ in .accepted { _ in .now(WebResponse(content: .shared(body))) } }
        for _ in 0..<3 {
            let client = try RawClient(port: server.port)
            client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try client.readToEnd().hasSuffix("\r\n\r\nshared"))
        }
        await server.stop()
    }
}
