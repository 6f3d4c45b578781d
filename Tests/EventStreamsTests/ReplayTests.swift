// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct ReplayTests {
    private static let kept = (8...10).map { StateRecord(SequenceRange(SequenceNumber($0))) }

    @Test func aReplayOfWhatIsKeptIsSingle() throws {
        #expect(Replay.cut(Self.kept, from: 9) == Array(Self.kept.dropFirst()))
    }

    @Test func aReplayOfTrimmedHistoryStartsAtTheNumberAskedFor() throws {
        let answer = Replay.cut(Self.kept, from: 3)
        #expect(answer.map(\.range) == [try range(3, 8), try range(9, 9), try range(10, 10)])
        #expect(answer.first?.state == 8, "the range has the state of the oldest record kept")
    }

    @Test func aReplayFromZeroStartsAtTheFirstCycle() throws {
        #expect(Replay.cut(Self.kept, from: 0).first?.range == (try range(1, 8)))
    }

    @Test func aReplayWithinARangeGivesTheWholeRange() throws {
        let records = [StateRecord(try range(3, 7)), StateRecord(try range(8, 8))]
        #expect(Replay.cut(records, from: 5) == records)
    }

    @Test func aReplayBeyondTheHeadIsEmpty() { #expect(Replay.cut(Self.kept, from: 11).isEmpty) }

    @Test(arguments: ["", "/full"]) func anEventCutNamesItsNewRangeInItsID(suffix: String) throws {
        let blog = try widget("blog")
        let (cycle, data) = (try range(8, 8), CacheHeads(heads: [:]))
        var event = Event(Topic.heads(of: .cache), widget: blog, range: cycle, time: at(0), data: data)
        event.id += suffix
        let wider = event.starting(at: 3)
        #expect(wider.range == (try range(3, 8)))
        #expect(wider.id == "heads/cache/\(try range(3, 8))\(suffix)")
        #expect(wider.starting(at: 5) == wider, "a range never shrinks")
    }
}
