// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Telemetry
import Testing
import WebServer
import WidgetSchema

@testable import Gateway

@Suite struct EventReaderTests {
    /// A stream whose reader takes chunks only while `isDrained` is true.
    private final class Sink: EventSink {
        var isDrained = true
        var isEnded: Bool { false }
        var count = 0

        func write(_ chunk: WebChunk) -> WebStream.WriteResult {
            count += 1
            return isDrained ? .sent : .waiting
        }

        func finish() {}
    }

    private let sink = Sink()
    private let reader: EventReader
    private let epoch: StreamEpoch

    init() throws {
        epoch = try Samples.offset(1).epoch
        reader = EventReader(
            stream: sink,
            filter: EventFilter(),
            sent: Metrics().counter("sent"),
            endsAt: .now,
            heartbeatAt: .now
        )
    }

    private func publish(_ number: UInt64) throws {
        let update = try Samples.streamed(try Samples.event("blog", number), offset: number)
        reader.send(update, WebChunk(update.json))
    }

    @Test func aSlowReaderGetsMergedUpdatesOnceASecondUntilItKeepsUp() throws {
        sink.isDrained = false
        reader.tick(epoch: epoch)
        reader.tick(epoch: epoch)
        sink.isDrained = true
        reader.flush(epoch: epoch)
        for second in 1...30 as ClosedRange<UInt64> {
            try publish(2 * second)
            try publish(2 * second + 1)
            #expect(sink.count == Int(second) - 1)
            reader.tick(epoch: epoch)
            #expect(sink.count == Int(second))
        }
        #expect(reader.merged == 30)
        try publish(62)
        try publish(63)
        #expect(sink.count == 32)
    }

    @Test func aReaderThatCatchesUpWithinASecondGetsEachUpdateAtOnce() throws {
        for second in 1...3 as ClosedRange<UInt64> {
            sink.isDrained = false
            reader.tick(epoch: epoch)
            try publish(2 * second)
            sink.isDrained = true
            reader.flush(epoch: epoch)
            try publish(2 * second + 1)
            #expect(sink.count == 2 * Int(second))
        }
        #expect(reader.merged == 0)
    }

    @Test func anUpdateCountsOnceForEachReaderThatGetsIt() throws {
        let metrics = Metrics()
        var fanout = EventFanout(
            limits: Samples.limits,
            metrics: metrics,
            admission: EventAdmission(maximum: 10),
            now: .now
        ) { _, _ in }
        fanout.begin(at: try Samples.offset(0), states: [])
        let sinks = ["blog", "news"].map { _ in Sink() }
        for (sink, widget) in zip(sinks, ["blog", "news"]) {
            let filter = EventFilter(widgets: [try Samples.widget(widget)])
            fanout.join(sink, EventHub.ReaderRequest(filter: filter), now: .now)
        }
        let sent = metrics.counter("gateway.eventsSent")
        for number in 1...3 as ClosedRange<UInt64> {
            fanout.publish(try Samples.streamed(try Samples.event("blog", number), offset: number))
        }
        #expect(sent.value == 3, "the other reader's filter does not match")
        let resumed = Sink()
        fanout.join(resumed, EventHub.ReaderRequest(since: .position(try Samples.offset(1))), now: .now)
        #expect(sent.value == 5)
    }

    // While a chunk is pending, a stream rejects others that are too large.
    @Test func theStatesOfAllWidgetsAreInTheFirstChunk() throws {
        var notifier = StoredUpdates(history: 10)
        for widget in ["a", "b"] { _ = try notifier.add(widget) }
        let reader = ResumingReader()
        try GatewayModel(notifier).join(reader)
        #expect(reader.writes == 1)
        try reader.readAll()
        #expect(reader.last.count == 2)
    }

    @Test func theFanoutSendsTheUpdatesOfASlowReaderWithItsTicks() throws {
        var notifier = StoredUpdates(history: 10)
        let gateway = try GatewayModel(notifier)
        let reader = ResumingReader()
        gateway.join(reader)
        let start = ContinuousClock.now
        for second in 1...3 { gateway.tick(at: start + .seconds(second)) }
        try reader.readAll()
        gateway.drained(reader)
        for _ in 0..<2 { try gateway.receive(try notifier.add("blog")) }
        #expect(!reader.hasEvents)
        gateway.tick(at: start + .seconds(4))
        #expect(reader.hasEvents)
    }
}
