// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Locking
import ServiceRuntime
import Telemetry
import TestSupport
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

/// Tests of the hub behind a real server, with a notifier that the test simulates.
@Suite(.timeLimit(.minutes(3))) struct EventHubTests {
    /// Runs `body` with the server's port and the hub, which follows the stream behind number 100.
    private func withHub(
        backlog: @escaping BacklogPage.Read,
        _ body: (Int, EventHub) async throws -> Void
    ) async throws {
        let hub = EventHub(limits: Samples.limits, metrics: Metrics(), readBacklog: backlog)
        let server = try HTTPServer(host: "127.0.0.1", port: 0) { _ in
            .accepted { request in
                var readerRequest = EventHub.ReaderRequest()
                readerRequest.since = request.query("since").map { text in
                    StreamOffset(text).map { .position($0) } ?? .unknown(text)
                }
                guard let stream = hub.open(readerRequest) else { return .now(WebResponse(status: 503)) }
                return .now(WebResponse(content: .stream(stream)))
            }
        }
        ServiceThread.start(named: "hub") { hub.run() }
        hub.begin(at: try Samples.offset(100), states: [])
        do {
            try await body(server.port, hub)
        } catch {
            await server.stop()
            hub.stop()
            throw error
        }
        await server.stop()
        hub.stop()
    }

    private func update(_ offset: UInt64) throws -> StreamedUpdate {
        try Samples.streamed(try Samples.event("blog", offset), offset: offset)
    }

    private func read(_ port: Int, since: String) throws -> RawClient {
        let client = try RawClient(port: port)
        client.send("GET /?since=\(since) HTTP/1.0\r\n\r\n")
        return client
    }

    /// Returns the numbers in the ids of the next `count` updates.
    private func numbers(_ client: RawClient, _ count: Int) throws -> [UInt64] {
        var numbers: [UInt64] = []
        while numbers.count < count {
            let event = try client.read(until: "\n\n").split(whereSeparator: \.isNewline)
            guard event.contains("event: update"), let id = event.first(where: { $0.hasPrefix("id: ") }) else {
                continue
            }
            numbers.append(try #require(StreamOffset(id.dropFirst(4))).number)
        }
        return numbers
    }

    @Test func whatTheGatewayNoLongerHasComesFromTheNotifierPageByPage() async throws {
        let asked = Lock<[UInt64]>([])
        try await withHub(
            backlog: { since in
                asked.withLock { $0.append(since.number) }
                // Pages of 40 of the updates up to 120.
                let last = min(since.number + 40, 120)
                let updates = (since.number + 1...max(last, since.number + 1)).compactMap { try? update($0) }
                return .updates(updates, upTo: StreamOffset(epoch: since.epoch, number: last), isLast: last == 120)
            }
        ) { port, hub in
            for offset in 101...120 as ClosedRange<UInt64> { hub.publish(try update(offset)) }
            let client = try read(port, since: "\(try Samples.offset(10))")
            #expect(try client.read(until: "event: start\n").contains("retry: "))
            #expect(try client.read(until: "\n\n").contains("\"gap\":false"))
            #expect(try numbers(client, 110) == Array(11...120))
            hub.publish(try update(121))
            #expect(try numbers(client, 1) == [121])
            #expect(asked.withLock { $0 } == [10, 50, 90])
        }
    }

    @Test func aReaderThatIsAheadOfItsGatewayGetsNoUpdateAgainAndNoGap() async throws {
        try await withHub(backlog: { since in .updates([], upTo: since, isLast: true) }) { port, hub in
            let client = try read(port, since: "\(try Samples.offset(103))")
            _ = try client.read(until: "event: start\n")
            #expect(try client.read(until: "\n\n").contains("\"gap\":false"))
            #expect(try client.read(until: "\n\n").contains("id: \(try Samples.offset(103))"))
            for offset in 101...104 as ClosedRange<UInt64> { hub.publish(try update(offset)) }
            #expect(try numbers(client, 1) == [104])
        }
    }

    @Test func aPositionThatTheNotifierDoesNotKnowIsAGapWithTheStateOfEachWidget() async throws {
        try await withHub(backlog: { _ in .unknown }) { port, hub in
            hub.show(try update(99))
            for since in ["\(try Samples.offset(10))", "00000000000000bb:5", "nonsense"] {
                let client = try read(port, since: since)
                _ = try client.read(until: "event: start\n")
                #expect(try client.read(until: "\n\n").contains("\"gap\":true"))
                #expect(try client.read(until: "\n\n").contains("event: update"))
            }
        }
    }

    @Test func aNotifierThatDoesNotAnswerIsAskedAgain() async throws {
        let answers = Lock(0)
        try await withHub(
            backlog: { since in
                answers.withLock { answers in
                    answers += 1
                    guard answers > 1, let next = try? update(100) else { return .unavailable }
                    return .updates([next], upTo: StreamOffset(epoch: since.epoch, number: 100), isLast: true)
                }
            }
        ) { port, _ in
            let client = try read(port, since: "\(try Samples.offset(99))")
            #expect(try numbers(client, 1) == [100])
            #expect(answers.withLock { $0 } == 2)
        }
    }

    @Test func readersOfAnotherEpochConnectAgain() async throws {
        try await withHub(backlog: { _ in .unknown }) { port, hub in
            let client = try read(port, since: "\(try Samples.offset(100))")
            _ = try client.read(until: "event: start\n")
            hub.begin(at: StreamOffset(epoch: .random(), number: 3), states: [])
            #expect(try client.readToEnd().contains("\"gap\":false"))
            let again = try read(port, since: "\(try Samples.offset(100))")
            _ = try again.read(until: "event: start\n")
            #expect(try again.read(until: "\n\n").contains("\"gap\":true"))
        }
    }
}
