// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceRuntime
import TestSupport
import Testing
import WidgetSchema

/// Makes messages that look like those of the cache and the layout service, with numbers and digests of its own.
struct Forger {
    private var generator: SeededGenerator
    private var cycles: [Event<Refreshed>] = []
    private var layouts: [Event<LaidOut>] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Reads the last messages about a widget.
    mutating func learn(_ widget: WidgetID, from system: RunningSystem) async throws {
        let cache = try await system.ask(.cache, SnapshotRequest<Refreshed>(widgets: [widget])).result
        cycles.append(try #require(cache.records.first))
        let layout = try await system.ask(.layout, ReplayRequest<LaidOut>(from: [widget: 1])).result
        layouts.append(try #require(layout.records.last))
    }

    mutating func next() throws -> (Topic, Data) {
        let index = Int.random(in: cycles.indices, using: &generator)
        var (cycle, layout) = (cycles[index], layouts[index])
        let widget = try #require(cycle.widget)
        let range = makeRange(behind: try #require(cycle.range?.sequence.number))
        (cycle.range, layout.range) = (range, range)
        let committed = [cycle.data.times.committed, nil, Instant.now].randomElement(using: &generator) ?? nil
        (cycle.data.times.committed, layout.data.times.committed) = (committed, committed)
        switch Int.random(in: 0...3, using: &generator) {
        case 0:
            cycle.data.contentSequence = Bool.random(using: &generator) ? range.sequence : cycle.data.contentSequence
            if Bool.random(using: &generator) { cycle.data.content?.digest = try makeDigest() }
            return (.refreshed(widget), try WireJSON.encode(cycle))
        case 1:
            for name in layout.data.displays.keys where Bool.random(using: &generator) {
                layout.data.displays[name]?.digest = try makeDigest()
            }
            return (.laidOut(widget), try WireJSON.encode(layout))
        case 2:
            let heads = CacheHeads(heads: [widget: Head(sequence: range.sequence)])
            let counter = UInt64.random(in: .min ... .max, using: &generator)
            let event = Event(
                .heads(of: .cache),
                subject: nil,
                nonce: "forged",
                counter: counter,
                time: .now,
                data: heads
            )
            return (.heads(of: .cache), try WireJSON.encode(event))
        default:
            // An outcome of a lease that nobody holds.
            let source = try #require(SourceID(rawValue: String(try makeDigest().rawValue.prefix(16))))
            return (.fetched(source), Data("{\"lease\":\(range.sequence.number)}".utf8))
        }
    }

    private mutating func makeRange(behind head: UInt64) -> SequenceRange {
        let distances: [UInt64] = [0, 1, 2, 3, 1_000, 80_000_000, 86_400_000, 90_000_000]
        let ahead = distances.randomElement(using: &generator) ?? 0
        let sequence = max(
            1,
            [head + ahead, head - min(head, ahead), ahead, .max].randomElement(using: &generator) ?? head
        )
        let first = [sequence, 1, head + 1].randomElement(using: &generator) ?? sequence
        let single = SequenceRange(SequenceNumber(sequence))
        return SequenceRange(first: SequenceNumber(first), sequence: SequenceNumber(sequence)) ?? single
    }

    private mutating func makeDigest() throws -> ContentDigest {
        try #require(ContentDigest(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }))
    }
}
