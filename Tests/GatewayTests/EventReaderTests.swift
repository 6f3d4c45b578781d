// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
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
        reader = EventReader(stream: sink, filter: EventFilter(), client: "c", endsAt: .now, heartbeatAt: .now)
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
