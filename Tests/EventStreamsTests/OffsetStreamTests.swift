// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct OffsetStreamTests {
    private let now = Instant(milliseconds: 1_763_683_200_000)

    private func offset(_ number: UInt64, epoch: String = "00000000000000aa") throws -> StreamOffset {
        StreamOffset(epoch: try #require(StreamEpoch(rawValue: epoch)), number: number)
    }

    private func stream(after number: UInt64, maximumHeld: Int = 10) throws -> OffsetStream<String> {
        OffsetStream(after: try offset(number), maximumHeld: maximumHeld)
    }

    private func live(_ stream: inout OffsetStream<String>, _ number: UInt64) throws -> [UInt64]? {
        switch stream.handle("\(number)", at: try offset(number)) {
        case .next(let elements): elements.map(\.number)
        case .duplicate, .otherEpoch: nil
        case .gap: []
        }
    }

    @Test func updatesAreHandedOutOnceAndInOrder() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, 4) == [4])
        #expect(try live(&stream, 4) == nil)
        #expect(try live(&stream, 2) == nil)
        #expect(try live(&stream, 5) == [5])
        #expect(stream.nextAsk(at: now) == nil)
    }

    @Test func whatComesTooEarlyWaitsForTheReplay() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, 6) == [])
        #expect(try live(&stream, 7) == [])
        #expect(stream.nextAsk(at: now) == (try offset(3)))
        #expect(stream.nextAsk(at: now) == nil)
        let next = stream.replayed([(4, "4"), (5, "5")], more: false, end: try offset(5), at: now)
        #expect(next?.map(\.number) == [4, 5, 6, 7])
        #expect(stream.position == (try offset(7)))
        #expect(stream.nextAsk(at: now) == nil)
    }

    @Test func aReplayMaySkipNumbersAndGoesOnPageByPage() throws {
        var stream = try stream(after: 3)
        stream.requireReplay()
        #expect(stream.nextAsk(at: now) == (try offset(3)))
        #expect(stream.replayed([(9, "9")], more: true, end: try offset(20), at: now)?.map(\.number) == [9])
        #expect(stream.nextAsk(at: now) == (try offset(9)))
        #expect(stream.replayed([(15, "15")], more: false, end: try offset(20), at: now)?.map(\.number) == [15])
        #expect(stream.position == (try offset(20)))
        #expect(try live(&stream, 21) == [21])
    }

    // The record that covers the skipped update 4 may be on a later page than the widget's live update 10.
    @Test func liveUpdatesWaitForTheLastPageOfAReplay() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, 10) == [])
        #expect(stream.nextAsk(at: now) == (try offset(3)))
        #expect(stream.replayed([(9, "9")], more: true, end: try offset(12), at: now)?.map(\.number) == [9])
        #expect(try live(&stream, 10) == [])
        #expect(try live(&stream, 13) == [])
        #expect(stream.nextAsk(at: now) == (try offset(9)))
        #expect(stream.replayed([(12, "12")], more: false, end: try offset(12), at: now)?.map(\.number) == [12, 13])
        #expect(stream.nextAsk(at: now) == nil)
        #expect(try live(&stream, 14) == [14])
    }

    @Test func aFailedReplayIsAskedForAgainLater() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, 5) == [])
        #expect(stream.nextAsk(at: now) != nil)
        stream.replayFailed(at: now)
        #expect(stream.nextAsk(at: now) == nil)
        let later = try #require(stream.nextDeadline)
        #expect(stream.nextAsk(at: later) == (try offset(3)))
    }

    @Test func aFailedReplayIsAskedForAgainAlthoughTheClockWasSetBack() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, 5) == [])
        #expect(stream.nextAsk(at: now) != nil)
        stream.replayFailed(at: now)
        #expect(stream.nextAsk(at: now.advanced(by: .seconds(-3600))) == (try offset(3)))
    }

    @Test func anEndBeyondThePositionIsAskedForAndOneOfAnotherEpochIsTold() throws {
        var stream = try stream(after: 3)
        #expect(stream.heard(end: try offset(3)))
        #expect(stream.nextAsk(at: now) == nil)
        #expect(stream.heard(end: try offset(4)))
        #expect(stream.nextAsk(at: now) == (try offset(3)))
        #expect(!stream.heard(end: try offset(4, epoch: "00000000000000bb")))
        guard case .otherEpoch = stream.handle("x", at: try offset(4, epoch: "00000000000000bb")) else {
            Issue.record("an update of another epoch was taken")
            return
        }
    }

    @Test func aReplayOfAnotherEpochChangesNothingAndIsAskedForAgainLater() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, 6) == [])
        #expect(stream.nextAsk(at: now) == (try offset(3)))
        let end = try offset(50, epoch: "00000000000000bb")
        #expect(stream.replayed([(40, "40")], more: false, end: end, at: now)?.count == nil)
        #expect(stream.position == (try offset(3)))
        #expect(stream.heldCount == 1)
        #expect(stream.nextAsk(at: now) == nil)
        #expect(stream.nextAsk(at: try #require(stream.nextDeadline)) == (try offset(3)))
    }

    @Test func aNumberThatNoReplayReachesIsAskedForOnce() throws {
        var stream = try stream(after: 3)
        #expect(try live(&stream, .max) == [])
        #expect(stream.nextAsk(at: now) != nil)
        #expect(stream.replayed([], more: false, end: try offset(3), at: now)?.isEmpty == true)
        #expect(stream.nextAsk(at: now) == nil)
        #expect(stream.heldCount == 0)
        #expect(try live(&stream, 4) == [4])
    }

    @Test func noMoreWaitThanTheLimit() throws {
        var stream = try stream(after: 0, maximumHeld: 2)
        for number in [5, 6, 7, 8] as [UInt64] { #expect(try live(&stream, number) == []) }
        #expect(stream.heldCount == 2)
        _ = stream.nextAsk(at: now)
        let replayed = (1...8).map { (number: UInt64($0), element: "\($0)") }
        #expect(stream.replayed(replayed, more: false, end: try offset(8), at: now)?.map(\.number) == Array(1...8))
    }
}
