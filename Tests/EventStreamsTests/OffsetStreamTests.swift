// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import EventStreams

@Suite struct OffsetStreamTests {
    private let now = Instant(milliseconds: 1_763_683_200_000)

    private func streamed(_ number: UInt64) throws -> StreamedUpdate {
        try #require(StreamedUpdate(try update("blog", number, offset: offset(number))))
    }

    private func live(_ stream: inout OffsetStream, _ number: UInt64) throws -> [UInt64]? {
        switch stream.handle(try streamed(number)) {
        case .next(let updates): updates.map(\.offset)
        case .duplicate: nil
        case .gap: []
        }
    }

    private func replay(_ stream: inout OffsetStream, _ numbers: [UInt64], more: Bool = false, end: UInt64) throws
        -> [UInt64]
    {
        stream.replayed(try numbers.map(streamed), more: more, end: end).map(\.offset)
    }

    @Test func updatesAreHandedOutOnceAndInOrder() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, 4) == [4])
        #expect(try live(&stream, 4) == nil)
        #expect(try live(&stream, 2) == nil)
        #expect(try live(&stream, 5) == [5])
        #expect(stream.nextRequest(at: now) == nil)
    }

    @Test func whatComesTooEarlyWaitsForTheReplay() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, 6) == [])
        #expect(try live(&stream, 7) == [])
        #expect(stream.nextRequest(at: now) == 3)
        #expect(stream.nextRequest(at: now) == nil)
        let next = try replay(&stream, [4, 5], end: 5)
        #expect(next == [4, 5, 6, 7])
        #expect(stream.position == 7)
        #expect(stream.nextRequest(at: now) == nil)
    }

    @Test func anUpdateThatIsNewerThanAReplayWithoutNewsIsNotDropped() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, 5) == [])
        #expect(stream.nextRequest(at: now) == 3)
        // The earlier one arrives late, and a later one while another is on its way; the notifier had answered before them.
        #expect(try live(&stream, 4) == [4, 5])
        #expect(try live(&stream, 7) == [])
        #expect(try replay(&stream, [4, 5], end: 5) == [])
        #expect(try live(&stream, 6) == [6, 7])
        // The request that is due brings nothing, and ends the wait.
        #expect(stream.nextRequest(at: now) == 7)
        #expect(try replay(&stream, [], end: 7) == [])
        #expect(stream.nextRequest(at: now) == nil)
    }

    @Test func whatIsBehindAPageThatLiveUpdatesHaveOvertakenIsRequested() throws {
        var stream = OffsetStream(after: 3)
        stream.requireReplay()
        #expect(stream.nextRequest(at: now) == 3)
        #expect(try live(&stream, 4) == [4])
        #expect(try live(&stream, 5) == [5])
        // The notifier had committed more when it answered, and these updates are still on their way.
        #expect(try replay(&stream, [4, 5], more: true, end: 8) == [])
        #expect(try live(&stream, 6) == [])
        #expect(stream.nextRequest(at: now) == 5)
        #expect(try replay(&stream, [6, 7, 8], end: 8) == [6, 7, 8])
        #expect(try live(&stream, 9) == [9])
        #expect(stream.nextRequest(at: now) == nil)
    }

    @Test func aPageThatBringsNothingAfterTheRequestIsTheLastOne() throws {
        var stream = OffsetStream(after: 3)
        stream.requireReplay()
        #expect(stream.nextRequest(at: now) == 3)
        #expect(try replay(&stream, [2, 3], more: true, end: 3) == [])
        #expect(stream.nextRequest(at: now) == nil)
    }

    @Test func aReplayMaySkipNumbersAndGoesOnPageByPage() throws {
        var stream = OffsetStream(after: 3)
        stream.requireReplay()
        #expect(stream.nextRequest(at: now) == 3)
        #expect(try replay(&stream, [9], more: true, end: 20) == [9])
        #expect(stream.nextRequest(at: now) == 9)
        #expect(try replay(&stream, [15], end: 20) == [15])
        #expect(stream.position == 20)
        #expect(try live(&stream, 21) == [21])
    }

    // The record that covers the skipped update 4 may be on a later page than the widget's live update 10.
    @Test func liveUpdatesWaitForTheLastPageOfAReplay() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, 10) == [])
        #expect(stream.nextRequest(at: now) == 3)
        #expect(try replay(&stream, [9], more: true, end: 12) == [9])
        #expect(try live(&stream, 10) == [])
        #expect(try live(&stream, 13) == [])
        #expect(stream.nextRequest(at: now) == 9)
        #expect(try replay(&stream, [12], end: 12) == [12, 13])
        #expect(stream.nextRequest(at: now) == nil)
        #expect(try live(&stream, 14) == [14])
    }

    @Test func aFailedReplayIsAskedForAgainLater() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, 5) == [])
        #expect(stream.nextRequest(at: now) != nil)
        stream.replayFailed(at: now)
        #expect(stream.nextRequest(at: now) == nil)
        let later = try #require(stream.nextDeadline)
        #expect(stream.nextRequest(at: later) == 3)
    }

    @Test func aFailedReplayIsAskedForAgainAlthoughTheClockWasSetBack() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, 5) == [])
        #expect(stream.nextRequest(at: now) != nil)
        stream.replayFailed(at: now)
        #expect(stream.nextRequest(at: now.advanced(by: .seconds(-3600))) == 3)
    }

    @Test func anEndBeyondThePositionIsAskedFor() throws {
        var stream = OffsetStream(after: 3)
        stream.heard(end: 3)
        #expect(stream.nextRequest(at: now) == nil)
        stream.heard(end: 4)
        #expect(stream.nextRequest(at: now) == 3)
    }

    @Test func aNumberThatNoReplayReachesIsAskedForOnce() throws {
        var stream = OffsetStream(after: 3)
        #expect(try live(&stream, .max) == [])
        #expect(stream.nextRequest(at: now) != nil)
        #expect(try replay(&stream, [], end: 3).isEmpty)
        #expect(stream.nextRequest(at: now) == nil)
        #expect(stream.heldCount == 0)
        #expect(try live(&stream, 4) == [4])
    }

    @Test func noMoreWaitThanTheLimit() throws {
        var stream = OffsetStream(after: 0, maximumHeld: 2)
        for number in [5, 6, 7, 8] as [UInt64] { #expect(try live(&stream, number) == []) }
        #expect(stream.heldCount == 2)
        _ = stream.nextRequest(at: now)
        #expect(try replay(&stream, Array(1...8), end: 8) == Array(1...8))
    }
}
