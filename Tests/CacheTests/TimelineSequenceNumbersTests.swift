// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import Cache

@Suite struct TimelineSequenceNumbersTests {
    private let starts = (0..<200).map { SequenceNumber(1_763_596_800_000 + $0) }

    @Test func noTwoOfFourTimelinesInARowHaveANumberInCommon() {
        for oldest in UInt32(1)...9 {
            let numbers = (oldest..<oldest + 4).map { timeline in
                Set(starts.map { TimelineSequenceNumbers(timeline: timeline).first(from: $0) })
            }
            let union = numbers.reduce(into: Set<SequenceNumber>()) { $0.formUnion($1) }
            #expect(union.count == numbers.reduce(0) { $0 + $1.count })
        }
    }

    @Test func aNumberIsTheNextOneOfItsTimelineAndAtMost48Ahead() {
        for timeline in UInt32(1)...9 {
            let numbers = TimelineSequenceNumbers(timeline: timeline)
            for start in starts {
                let first = numbers.first(from: start)
                #expect(start <= first && first.number <= start.number + 48)
                #expect(numbers.first(from: first) == first)
                #expect((start.number..<first.number).allSatisfy { numbers.first(from: SequenceNumber($0)) == first })
            }
        }
    }

    @Test func withoutATimelineEachNumberCounts() {
        #expect(starts.allSatisfy { TimelineSequenceNumbers(timeline: 0).first(from: $0) == $0 })
    }

    @Test func theLargestNumberStaysAsItIs() {
        let largest = SequenceNumber(.max)
        #expect((UInt32(1)...4).allSatisfy { TimelineSequenceNumbers(timeline: $0).first(from: largest) == largest })
    }

    // Two owners have taken a store over in the same millisecond, one on each primary of a split brain.
    @Test(arguments: [true, false]) func ownersOnTwoPrimariesGiveNoNumberTwiceForSomeHours(isNew: Bool) throws {
        let widget = CacheFixture.widget(0)
        var numbers: [SequenceNumber: UInt32] = [:]
        for timeline in UInt32(2)...3 {
            let cache = CacheFixture(CacheFixture.plan())
            if !isNew { cache.feed(.start) }
            cache.stored.wasRestored = !isNew
            cache.stored.timeline = timeline
            var cycles = CacheFixture.cycles(cache.restart())
            for round in 0..<120 {
                cache.pass(70_000)
                let lease = try #require(cache.lease("r\(round)")?.leases.first)
                cycles += CacheFixture.cycles(cache.answer(lease, "\(round)"))
            }
            let ranges = cycles.filter { $0.widget == widget }.compactMap(\.range)
            #expect(ranges.count == 121)
            #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $1.first == $0.sequence.next })
            for range in ranges {
                #expect(numbers.updateValue(timeline, forKey: range.sequence) == nil)
            }
        }
    }

    @Test func aDayAfterTheClockNumbersFollowOneAfterTheOther() throws {
        let cache = CacheFixture(CacheFixture.plan())
        cache.feed(.start)
        cache.stored.timeline = 2
        cache.restart()
        cache.pass(25 * 3_600_000)
        for round in 0..<40 {
            cache.pass(70_000)
            let lease = try #require(cache.lease("r\(round)")?.leases.first)
            let ranges = CacheFixture.cycles(cache.answer(lease, "\(round)")).compactMap(\.range)
            #expect(ranges.allSatisfy(\.isSingle) && !ranges.isEmpty)
        }
    }
}
