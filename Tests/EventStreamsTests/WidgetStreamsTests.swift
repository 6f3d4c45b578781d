// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import EventStreams

/// Tests of a follower of single widgets.
@Suite struct WidgetStreamsTests {
    private let other = "00000000000000bb"

    /// Returns a follower from a sequence number on that has read a snapshot of `blog`, or of nothing.
    private func following(
        from since: UInt64,
        head: UInt64? = nil,
        follows: @escaping @Sendable (WidgetID) -> Bool = { _ in true }
    ) throws -> FollowerRun {
        var run = FollowerRun(from: .sequence(SequenceNumber(since), follows: follows))
        _ = run.handle(.subscribed)
        let states = try head.map { [try update("blog", $0, offset: offset($0))] } ?? []
        #expect(try run.answer(Records(records: states, more: false, end: try offset(head ?? 0))).isEmpty)
        return run
    }

    private func live(_ first: UInt64, _ sequence: UInt64) throws -> UpdateFollower.Input {
        let event = try update("blog", first, sequence, offset: offset(sequence))
        return .update(event, json: try WireJSON.encode(event))
    }

    private func record(_ first: UInt64, _ sequence: UInt64) throws -> Event<Update> {
        // Only the last update of a widget has a position in a new epoch.
        try update("blog", first, sequence, offset: nil)
    }

    private func page(_ records: [Event<Update>]) throws -> Records<Update> {
        Records(records: records, more: false, end: try offset(99))
    }

    @Test func itAsksFromTheFirstCycleWantedAndNeverBeyondTheNext() throws {
        let blog = try widget("blog")
        for (since, head, expected) in [(5, 9, 5), (20, 9, 10), (1, 9, 1)] as [(UInt64, UInt64, UInt64)] {
            let run = try following(from: since, head: head)
            #expect(run.asked.map(\.body) == [.cycles(from: [blog: SequenceNumber(expected)])])
        }
        #expect(try following(from: 1, head: 9, follows: { $0 != blog }).asked.isEmpty)
    }

    @Test func whatIsPublishedTilesWhateverArrives() throws {
        var run = try following(from: 3, head: 4)
        // A live message comes before the replay: too early, and again in the replay.
        #expect(run.handle(try live(5, 5)).published.isEmpty)
        var published = try run.answer(try page([record(3, 4), record(5, 5)])).published
        for (first, sequence) in [(5, 5), (4, 7), (9, 9), (8, 9)] as [(UInt64, UInt64)] {
            published += run.handle(try live(first, sequence)).published
        }
        #expect(try published.map(\.range) == [range(3, 4), range(5, 5), range(6, 7), range(8, 9)])
        let decoded = try published.map { try WireJSON.decode(Event<Update>.self, from: $0.json).range }
        #expect(decoded == published.map(\.range))
    }

    @Test func allCyclesAreFollowedButThoseBeforeTheStartAreNotPublished() throws {
        var run = try following(from: 12, head: 9)
        let published = try (10...13).flatMap { run.handle(try live($0, $0)).published }
        #expect(published.map(\.range.sequence) == [12, 13])
    }

    @Test func theSnapshotOfAnotherEpochReplacesPositionsAndNewWidgetsBeginAtTheStart() throws {
        var run = try following(from: 3, head: 9)
        #expect(try run.answer(try page([record(3, 9)])).published.count == 1)

        let end = try offset(2, epoch: other)
        #expect(run.handle(.heads(NotifierHeads(heads: [:], end: end))).notes.count == 1)
        run.request(at: at(0).advanced(by: UpdateFollower.snapshotRetryInterval))
        let states = [try update("blog", 1, 7, offset: end), try update("news", 5, 8, offset: end)]
        let begun = try run.answer(Records(records: states, more: false, end: end))
        #expect(begun.begun == end)
        #expect(begun.shown.isEmpty)
        guard case .cycles(let from) = run.asked.last?.body else { throw Unexpected(begun) }
        #expect(from[try widget("news")] == 3)
        let next = try update("blog", 8, offset: offset(3, epoch: other))
        #expect(run.handle(.update(next, json: Data())).published.map(\.range.sequence) == [8])
    }

    @Test func aReplayOfAnotherEpochOrOfAnEarlierRequestIsDropped() throws {
        var run = try following(from: 3, head: 9)
        let last = run.asked.popLast()
        let request = try #require(last)
        let ofOther = Records(records: [try record(3, 9)], more: false, end: try offset(4, epoch: other))
        #expect(run.handle(.answer(request, ofOther)).notes.count == 1)
        #expect(run.handle(.answer(request, try page([record(3, 9)]))).isEmpty)
        run.request(at: at(1000))
        #expect(run.asked.map(\.body) == [.snapshot(after: nil), request.body])
        #expect(try run.answer(try page([record(3, 9)])).published.count == 1)
    }

    @Test func messagesBeforeTheFirstSnapshotAreDropped() throws {
        var run = FollowerRun(from: .sequence(1, follows: { _ in true }))
        _ = run.handle(.subscribed)
        #expect(run.handle(try live(1, 1)).isEmpty)
        _ = run.handle(.heads(NotifierHeads(heads: [:], end: try offset(4, epoch: other))))
        #expect(run.asked.map(\.body) == [.snapshot(after: nil)])
    }

    @Test func aReaderWithASlowClockPublishesTheUpdatesThatItRequested() throws {
        let next = UInt64(at(0).milliseconds) + 2 * UInt64(PlausibleSequence.leadMilliseconds)
        var run = try following(from: next, head: next - 1)
        for sequence in next...(next + 1) {
            #expect(run.handle(try live(sequence, sequence)).published.isEmpty)
            run.request(at: at(Int64(sequence - next) * 2000))
            #expect(try run.answer(try page([record(sequence, sequence)])).published.count == 1)
        }
    }
}
