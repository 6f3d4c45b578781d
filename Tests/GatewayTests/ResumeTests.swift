// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Gateway

/// Readers that go from one gateway to another, while the notifier no longer stores all updates.
@Suite struct ResumeTests {
    private static let widgets = ["a", "b", "c", "d"]

    private func add(
        _ counts: ClosedRange<Int>,
        to notifier: inout StoredUpdates,
        _ generator: inout SeededGenerator
    ) throws -> [Event<Update>] {
        var events: [Event<Update>] = []
        for _ in 0..<Int.random(in: counts, using: &generator) {
            events.append(try notifier.add(Self.widgets.randomElement(using: &generator) ?? "a"))
        }
        return events
    }

    private func expectAll(_ reader: ResumingReader, _ notifier: StoredUpdates, _ seed: UInt64) {
        #expect(reader.missed.isEmpty, "seed \(seed)")
        for event in notifier.all {
            guard let widget = event.widget, let range = event.range else { continue }
            #expect(reader.last[widget] ?? .zero >= range.sequence, "seed \(seed): \(widget)")
        }
    }

    @Test func aReaderOfAGatewayThatMissedUpdatesResumesAtOneThatHasThemAll() throws {
        for seed in 0..<UInt64(100) {
            var generator = SeededGenerator(seed: seed)
            var notifier = StoredUpdates(history: Int.random(in: 1...3, using: &generator))
            let known = try add(4...12, to: &notifier, &generator)
            #expect(!known.isEmpty)
            let (lagging, complete) = (try GatewayModel(notifier), try GatewayModel(notifier))
            let reader = ResumingReader()
            lagging.join(reader)
            try reader.readAll()
            let events = try add(8...24, to: &notifier, &generator)
            for event in events { try complete.receive(event) }
            // The lagging gateway missed these updates. Some arrive late, between the pages of its replay.
            lagging.handle(.heads(NotifierHeads(heads: [:], end: try Samples.offset(notifier.end))))
            let limit = Int.random(in: 2...8, using: &generator)
            let reads = Int.random(in: 0...12, using: &generator)
            for _ in 0..<reads {
                if Bool.random(using: &generator) { try lagging.replay(from: notifier, limit: limit) }
                if Bool.random(using: &generator), let late = events.randomElement(using: &generator) {
                    try lagging.receive(late)
                }
                try reader.read()
                lagging.drained(reader)
            }
            complete.join(reader)
            try reader.readAll()
            expectAll(reader, notifier, seed)
        }
    }

    @Test func aReaderGetsSkippedCyclesFromTheNotifierBeforeTheGatewaysOwnUpdates() throws {
        for seed in 0..<UInt64(100) {
            var generator = SeededGenerator(seed: seed)
            var notifier = StoredUpdates(history: Int.random(in: 1...3, using: &generator))
            _ = try add(4...12, to: &notifier, &generator)
            let (first, complete) = (try GatewayModel(notifier), try GatewayModel(notifier))
            let reader = ResumingReader()
            first.join(reader)
            try reader.readAll()
            // This gateway has all updates, but its ring begins after the reader's position.
            let ringCount = Int.random(in: 1...8, using: &generator)
            let short = try GatewayModel(notifier, ringCount: ringCount)
            for event in try add(8...24, to: &notifier, &generator) {
                try short.receive(event)
                try complete.receive(event)
            }
            let limit = Int.random(in: 1...6, using: &generator)
            short.join(reader)
            let reads = Bool.random(using: &generator) ? Int.max : Int.random(in: 1...20, using: &generator)
            for _ in 0..<reads {
                if !short.reads.isEmpty { try short.answer(from: notifier, limit: limit) }
                try reader.read()
                short.drained(reader)
                if short.reads.isEmpty, !reader.hasEvents { break }
            }
            // A reader that has read everything stays; the others go on at the gateway with all updates.
            if reads < .max { complete.join(reader) }
            try reader.readAll()
            expectAll(reader, notifier, seed)
        }
    }

    @Test func aReaderOfOneWidgetResumesAcrossPagesWithoutItsUpdates() throws {
        var notifier = StoredUpdates(history: 100)
        _ = try notifier.add("a")
        let gateway = try GatewayModel(notifier, ringCount: 1)
        let filter = EventFilter(widgets: [try Samples.widget("a")])
        let reader = ResumingReader()
        gateway.join(reader, filter: filter)
        try reader.readAll()
        for widget in ["b", "b", "b", "b", "b", "b", "b", "a", "b"] { try gateway.receive(try notifier.add(widget)) }
        gateway.join(reader, filter: filter)
        try gateway.finish(reader, from: notifier)
        #expect(!reader.isEnded)
        #expect(reader.missed.isEmpty)
        #expect(reader.last[try Samples.widget("a")] == SequenceNumber(2))
    }

    // A new stream can have the address of one that has ended, and therefore the same `ObjectIdentifier`.
    @Test func aPageForAStreamThatHasEndedIsNotSentToAnotherStreamWithItsAddress() throws {
        var notifier = StoredUpdates(history: 100)
        _ = try notifier.add("a")
        let gateway = try GatewayModel(notifier, ringCount: 1)
        let reader = ResumingReader()
        gateway.join(reader)
        try reader.readAll()
        for _ in 0..<8 { try gateway.receive(try notifier.add("a")) }
        gateway.join(reader, behind: try Samples.offset(5))
        gateway.leave(reader)
        gateway.join(reader)
        #expect(gateway.reads.count == 2)
        try gateway.finish(reader, from: notifier)
        #expect(reader.missed.isEmpty)
        #expect(reader.last[try Samples.widget("a")] == SequenceNumber(9))
    }
}
