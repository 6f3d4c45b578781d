// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct SnapshotJoinTests {
    @Test func aLateClientSeesEachCycleOnce() throws {
        let blog = try widget("blog")
        var join = SnapshotJoin<SequenceRange>()
        for cycle in 8...12 as ClosedRange<UInt64> { join.hold(try range(cycle, cycle)) }
        var positions = StreamPositions()
        positions.join(blog, at: 10)
        let steps = join.complete().map { positions.handle($0, of: blog, at: at(0)) }
        #expect(steps == [.duplicate, .duplicate, .duplicate, .next, .next])
    }

    @Test func beyondItsCapacityTheOldestGoAndAGapIsSeen() throws {
        let blog = try widget("blog")
        var join = SnapshotJoin<SequenceRange>(capacity: 3)
        for cycle in 11...16 as ClosedRange<UInt64> { join.hold(try range(cycle, cycle)) }
        #expect(join.dropped == 3)
        var positions = StreamPositions([blog: 10])
        let held = join.complete()
        #expect(held == (try (14...16).map { try range($0, $0) }))
        _ = held.map { positions.handle($0, of: blog, at: at(0)) }
        #expect(positions.nextAsk(at: at(0))?.from == [blog: 11])
    }
}
