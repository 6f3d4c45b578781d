// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import Testing
import WidgetSchema

@Suite struct ConflationTests {
    /// Returns an update with an offset of its own.
    private func streamed(_ name: String, _ sequence: UInt64, offset number: UInt64) throws -> StreamedUpdate {
        try #require(StreamedUpdate(try update(name, sequence, offset: offset(number))))
    }

    @Test func oneEventStandsForTheRangeAndTheUnionOfChanges() throws {
        var conflation = Conflation()
        var events = [
            try update("blog", 5, offset: offset(1), result: .newData),
            try update("blog", 6, offset: offset(2), result: .newData), try update("blog", 7, offset: offset(3)),
        ]
        events[0].data.changed = [try #require(DisplayName(rawValue: "wall"))]
        events[1].data.changed = [try #require(DisplayName(rawValue: "phone"))]
        for event in events { conflation.add(try #require(StreamedUpdate(event))) }
        let all = conflation.take(atMost: 8)
        let entry = try #require(all.first).entry
        #expect(all.count == 1)
        #expect(entry.event.range == SequenceRange(first: 5, sequence: 7))
        #expect(entry.event.data.result == .newData)
        #expect(entry.event.data.changed.map(\.rawValue) == ["phone", "wall"])
        #expect(entry.json == nil)
        #expect(conflation.isEmpty)
        #expect(conflation.merged == 2)
    }

    @Test func aSingleUpdateKeepsItsBytes() throws {
        var conflation = Conflation()
        let update = try streamed("blog", 5, offset: 9)
        conflation.add(update)
        #expect(conflation.take(atMost: 8).first?.entry.json == update.json)
    }

    /// Checks that a reader that resumes at an id has received every update up to it: pending updates come after it.
    @Test func anIdNeverPromisesWhatStillWaits() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var conflation = Conflation()
            var sequences: [String: UInt64] = [:]
            var offsets: [String: [UInt64]] = [:]
            for offset in 1...UInt64(12) {
                let name = ["a", "b", "c", "d"].randomElement(using: &generator) ?? "a"
                sequences[name, default: 0] += 1
                offsets[name, default: []].append(offset)
                conflation.add(try streamed(name, sequences[name] ?? 1, offset: offset))
            }
            var waiting = offsets
            var promised: UInt64 = 0
            while let (entry, sentUpTo) = conflation.take(atMost: 1).first {
                waiting[entry.event.subject ?? ""] = nil
                #expect(waiting.values.joined().allSatisfy { $0 > sentUpTo })
                #expect(sentUpTo >= promised)
                promised = sentUpTo
            }
            #expect(promised == 12)
        }
    }

    @Test func aWidgetThatChangesOftenIsSentWhenItHasWaitedLongest() throws {
        var conflation = Conflation()
        var offset: UInt64 = 0
        func add(_ name: String) throws {
            offset += 1
            conflation.add(try streamed(name, offset, offset: offset))
        }
        for name in ["often", "b", "c"] { try add(name) }
        for _ in 0..<5 { try add("often") }
        let sent = conflation.take(atMost: 2)
        #expect(sent.map { $0.entry.event.subject } == ["often", "b"])
        #expect(sent.map(\.sentUpTo) == [1, 2])
        #expect(conflation.take(atMost: 2).map { $0.entry.event.subject } == ["c"])
    }

    @Test func widgetsThatWaitEquallyLongAreSentInTheOrderOfTheirNames() throws {
        var conflation = Conflation()
        let names = (10..<40).map { "w\($0)" }
        for (index, name) in names.reversed().enumerated() {
            var update = try streamed(name, 1, offset: UInt64(50 + index))
            // A record of a replay that skipped the offsets after 10.
            update.firstOffset = 11
            conflation.add(update)
        }
        #expect(conflation.take(atMost: 30).map { $0.entry.event.subject } == names)
    }
}
