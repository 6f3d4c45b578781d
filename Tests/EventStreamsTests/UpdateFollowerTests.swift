// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import EventStreams

/// Tests of a follower of the stream of all widgets.
@Suite struct UpdateFollowerTests {
    private let now = at(0)
    private let other = "00000000000000bb"

    private func live(_ name: String, _ sequence: UInt64, offset number: UInt64) throws -> UpdateFollower.Input {
        let event = try update(name, sequence, offset: offset(number))
        return .update(event, json: try WireJSON.encode(event))
    }

    private func end(_ number: UInt64, epoch: String = "00000000000000aa") throws -> UpdateFollower.Input {
        .heads(NotifierHeads(heads: [:], end: try offset(number, epoch: epoch)))
    }

    private func page(_ events: [Event<Update>], more: Bool = false, end: UInt64) throws -> Records<Update> {
        Records(records: events, more: more, end: try offset(end))
    }

    /// Returns a follower that has read an empty snapshot, and follows the stream after a number.
    private func following(_ number: UInt64) throws -> FollowerRun {
        var run = FollowerRun(from: .snapshot(backlog: 0))
        _ = run.handle(.subscribed)
        _ = try run.answer(try page([], end: number))
        #expect(run.follower.hasCaughtUp)
        return run
    }

    @Test func aSnapshotIsReadPageByPageBeforeTheStreamIsFollowed() throws {
        var run = FollowerRun(from: .snapshot(backlog: 2))
        _ = run.handle(.subscribed)
        #expect(run.asked.map(\.body) == [.snapshot(after: nil)])
        #expect(run.handle(try live("blog", 11, offset: 6)).published.isEmpty)
        let states = try run.answer(try page([update("blog", 10, offset: offset(5))], more: true, end: 5))
        #expect(states.isEmpty)
        #expect(run.asked.map(\.body) == [.snapshot(after: try widget("blog"))])
        let last = try run.answer(try page([update("news", 5, offset: offset(4))], end: 6))
        #expect(last.begun == (try offset(3)))
        #expect(last.shown.map(\.range.sequence) == [10, 5])
        #expect(!run.follower.hasCaughtUp)

        // The backlog, and what came while the pages were read.
        #expect(run.asked.map(\.body) == [.updates(since: try offset(3))])
        let events = [
            try update("news", 5, offset: offset(4)), try update("blog", 10, offset: offset(5)),
            try update("blog", 11, offset: offset(6)),
        ]
        let caughtUp = try run.answer(try page(events, end: 6))
        #expect(caughtUp.published.map(\.offset) == [4, 5, 6])
        guard case .caughtUp = caughtUp.last else { throw Unexpected(caughtUp) }
    }

    @Test func aStoredPositionNeedsNoSnapshot() throws {
        var run = FollowerRun(from: .position(try offset(7)))
        _ = run.handle(.subscribed)
        #expect(run.asked.map(\.body) == [.updates(since: try offset(7))])
        let published = try run.answer(try page([update("blog", 3, offset: offset(8))], end: 8)).published
        #expect(published.map(\.offset) == [8])
    }

    @Test(arguments: [OffsetStream.retryInterval, .seconds(-3600)])
    func aFailedSnapshotIsRequestedAgainLaterAlsoIfTheClockIsSetBack(_ passed: Duration) throws {
        var run = FollowerRun(from: .snapshot(backlog: 0))
        _ = run.handle(.subscribed)
        _ = try run.fail()
        #expect(run.asked.isEmpty)
        #expect(run.follower.nextDeadline == now.advanced(by: UpdateFollower.snapshotRetryInterval))
        run.request(at: now.advanced(by: passed))
        #expect(run.asked.map(\.body) == [.snapshot(after: nil)])
        #expect(run.follower.nextDeadline == nil)
    }

    @Test func duplicatesAreDroppedAndAGapIsRequestedAndHealed() throws {
        var run = try following(10)
        #expect(run.handle(try live("blog", 10, offset: 10)).notes == [.duplicate(try widget("blog"))])
        #expect(run.handle(try live("blog", 13, offset: 13)).notes == [.gap(try widget("blog"))])
        #expect(run.asked.map(\.body) == [.updates(since: try offset(10))])
        let records = try [11, 12].map { try update("blog", $0, offset: offset($0)) }
        #expect(try run.answer(try page(records, end: 12)).published.map(\.range.sequence) == [11, 12, 13])
        #expect(run.follower.position == (try offset(13)))
    }

    @Test func aRecordForUpdatesThatAreNoLongerKeptIsNewDataIfOneOfThemWas() throws {
        var run = try following(10)
        _ = run.handle(.resubscribed)
        #expect(run.asked.map(\.body) == [.updates(since: try offset(10))])
        var hidden = try update("blog", 1, 12, offset: offset(14))
        hidden.data.previousNewData = 7
        var quiet = try update("news", 3, 9, offset: offset(15))
        quiet.data.previousNewData = 2
        let healed = try run.answer(try page([hidden, quiet], end: 15)).published
        #expect(healed.map(\.event.data.result) == [.newData, .noData])
        #expect(healed.first?.event.data.changed.map(\.rawValue) == ["phone", "wall"])
        #expect(try WireJSON.decode(Event<Update>.self, from: try #require(healed.first?.json)).data.result == .newData)
    }

    @Test func anIDStaysBelowTheFirstSkippedOffsetUntilItsCyclesAreCovered() throws {
        var run = try following(154)
        _ = run.handle(.resubscribed)
        // The notifier no longer has 155 to 157 and 160: updates of blog and news.
        let first = [
            try update("page", 17, offset: offset(158)), try update("page", 18, offset: offset(159)),
            try update("blog", 1, 531, offset: offset(162)),
        ]
        let healed = try run.answer(try page(first, more: true, end: 165)).published
        #expect(healed.map(\.offset) == [158, 159, 162])
        #expect(healed.map(\.sentUpTo) == [154, 154, 154])
        #expect(healed.map(\.firstOffset) == [158, 159, 155])
        let second = [
            try update("page", 19, offset: offset(163)), try update("news", 1, 26, offset: offset(164)),
            try update("blog", 532, offset: offset(165)),
        ]
        let rest = try run.answer(try page(second, end: 165)).published
        #expect(rest.map(\.sentUpTo) == [154, 164, 165])
        #expect(rest.map(\.firstOffset) == [163, 155, 165])
        #expect(run.handle(try live("blog", 533, offset: 166)).published.map(\.sentUpTo) == [166])
    }

    @Test func aWidgetThatIsNewBeginsWithItsFirstUpdate() throws {
        var run = try following(3)
        #expect(run.handle(try live("news", 7, offset: 4)).published.map(\.range.sequence) == [7])
        #expect(run.asked.isEmpty)
    }

    @Test func anEndThatNoUpdateReachedIsRequested() throws {
        var run = try following(10)
        _ = run.handle(try end(10))
        #expect(run.asked.isEmpty)
        _ = run.handle(try end(12))
        #expect(run.asked.map(\.body) == [.updates(since: try offset(10))])
    }

    @Test func anImplausibleNumberIsDroppedAndItsUpdateIsRequested() throws {
        var run = try following(0)
        #expect(run.handle(try live("blog", .max, offset: 1)).published.isEmpty)
        #expect(run.asked.map(\.body) == [.updates(since: try offset(0))])
        #expect(run.handle(try live("blog", 7, offset: 1)).published.map(\.range.sequence) == [7])
    }

    @Test func anotherEpochIsFollowedFromASnapshotOfItsOwn() throws {
        var run = try following(10)
        let start = try offset(2, epoch: other)
        let event = try update("blog", 20, offset: start)
        let input = UpdateFollower.Input.update(event, json: try WireJSON.encode(event))
        #expect(run.handle(input).notes.count == 1)
        // Only once, however many come.
        #expect(run.handle(input).notes.isEmpty)
        run.request(at: now.advanced(by: UpdateFollower.snapshotRetryInterval))
        #expect(run.asked.map(\.body) == [.snapshot(after: nil)])
        let begun = try run.answer(Records(records: [event], more: false, end: start))
        #expect(begun.shown.map(\.range.sequence) == [20])
        #expect(begun.begun == start)
        #expect(run.follower.position == start)
    }

    @Test func aReplayOfAnotherEpochChangesNothingAndIsRequestedAgain() throws {
        var run = try following(10)
        _ = run.handle(try end(12))
        let late = try update("blog", 9, offset: offset(40, epoch: other))
        let page = Records(records: [late], more: false, end: try offset(50, epoch: other))
        let outputs = try run.answer(page)
        #expect(outputs.notes.count == outputs.count)
        #expect(run.follower.position == (try offset(10)))
        // A snapshot decides which epoch holds.
        run.request(at: try #require(run.follower.nextDeadline))
        #expect(run.asked.map(\.body) == [.snapshot(after: nil), .updates(since: try offset(10))])
    }

    @Test func aRecordOfAnotherEpochThanItsPageIsMalformed() throws {
        var run = try following(10)
        _ = run.handle(try end(12))
        let records = [
            try update("blog", 11, offset: offset(11)), try update("news", 5, offset: offset(12, epoch: other)),
        ]
        let outputs = try run.answer(try page(records, end: 12))
        #expect(outputs.published.map(\.offset) == [11])
        #expect(outputs.notes == [.malformed(records[1].id)])
    }

    @Test func aSnapshotWhosePagesHaveDifferentEpochsBeginsAgain() throws {
        var run = FollowerRun(from: .snapshot(backlog: 0))
        _ = run.handle(.subscribed)
        _ = try run.answer(try page([update("blog", 10, offset: offset(5))], more: true, end: 5))
        let second = try update("news", 5, offset: offset(2, epoch: other))
        #expect(try run.answer(Records(records: [second], more: false, end: second.offset)).isEmpty)
        run.request(at: try #require(run.follower.nextDeadline))
        #expect(run.asked.map(\.body) == [.snapshot(after: nil)])
    }

    @Test func anAnswerIsHandledOnceAndAFailureAfterItChangesNothing() throws {
        var run = try following(10)
        _ = run.handle(try end(12))
        let last = run.asked.popLast()
        let request = try #require(last)
        let answer = UpdateFollower.Input.answer(
            request,
            try page([update("blog", 11, offset: offset(11)), update("blog", 12, offset: offset(12))], end: 12)
        )
        #expect(run.handle(answer).published.map(\.offset) == [11, 12])
        #expect(run.handle(answer).isEmpty)
        #expect(run.handle(.failed(request, isUnknown: true)).isEmpty)
        #expect(run.asked.isEmpty)
        #expect(run.follower.nextDeadline == nil)
    }

    @Test func anAnswerToARequestOfAnEarlierStreamIsDropped() throws {
        var run = try following(10)
        _ = run.handle(try end(12))
        let stale = run.asked.popLast()
        _ = run.handle(try end(4, epoch: other))
        run.request(at: now.advanced(by: UpdateFollower.snapshotRetryInterval))
        _ = try run.answer(Records(records: [], more: false, end: try offset(4, epoch: other)))
        let late = try page([update("blog", 12, offset: offset(12))], end: 12)
        #expect(run.handle(.answer(try #require(stale), late)).isEmpty)
        #expect(run.follower.position == (try offset(4, epoch: other)))
    }

    @Test func aSnapshotOfTheSameEpochShowsOnlyNewerStates() throws {
        var run = try following(10)
        #expect(run.handle(try live("blog", 11, offset: 11)).published.count == 1)
        // Two notifiers answer in a split brain, so the snapshot is requested again, although the epoch stays.
        _ = run.handle(try end(2, epoch: other))
        run.request(at: now.advanced(by: UpdateFollower.snapshotRetryInterval))
        let states = try [update("blog", 10, offset: offset(9)), update("news", 5, offset: offset(12))]
        #expect(try run.answer(try page(states, end: 12)).shown.map(\.range.sequence) == [5])
        #expect(run.follower.position == (try offset(11)))
    }

    @Test func aLateMessageOfAnEarlierEpochDoesNotEndTheStream() throws {
        var run = try following(10)
        _ = run.handle(try end(99, epoch: "00000000000000cc"))
        run.request(at: now.advanced(by: UpdateFollower.snapshotRetryInterval))
        #expect(try run.answer(try page([], end: 10)).isEmpty)
        #expect(run.handle(try live("blog", 11, offset: 11)).published.count == 1)
    }

    @Test func aPositionThatTheNotifierDoesNotKnowLeadsToASnapshot() throws {
        var run = try following(10)
        _ = run.handle(.resubscribed)
        #expect(try run.fail(isUnknown: true).notes.count == 1)
        run.request(at: now.advanced(by: UpdateFollower.snapshotRetryInterval))
        #expect(run.asked.first?.body == .snapshot(after: nil))
    }
}

/// A follower, and the requests that it has sent and that were not answered.
struct FollowerRun {
    var follower: UpdateFollower
    var asked: [UpdateFollower.Request] = []

    init(from start: UpdateFollower.Start) { follower = UpdateFollower(from: start, coversNewData: true) }

    mutating func handle(_ input: UpdateFollower.Input) -> [UpdateFollower.Output] {
        defer { request(at: at(0)) }
        return follower.handle(input, now: at(0))
    }

    mutating func request(at now: Instant) {
        while let request = follower.nextRequest(at: now) { asked.append(request) }
    }

    /// Answers the last request.
    mutating func answer(_ page: Records<Update>) throws -> [UpdateFollower.Output] {
        let request = asked.popLast()
        return handle(.answer(try #require(request), page))
    }

    /// Fails the last request.
    mutating func fail(isUnknown: Bool = false) throws -> [UpdateFollower.Output] {
        let request = asked.popLast()
        return handle(.failed(try #require(request), isUnknown: isUnknown))
    }
}

extension [UpdateFollower.Output] {
    var published: [StreamedUpdate] { compactMap { if case .publish(let update) = $0 { update } else { nil } } }
    var notes: [UpdateFollower.Note] { compactMap { if case .note(let note) = $0 { note } else { nil } } }
    var begun: StreamOffset? { lazy.compactMap { if case .begin(let start, _) = $0 { start } else { nil } }.last }

    var shown: [StreamedUpdate] {
        flatMap { output -> [StreamedUpdate] in
            switch output {
            case .show(let update): [update]
            case .begin(_, let states): states
            default: []
            }
        }
    }
}

/// The follower returned something else.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ outputs: [UpdateFollower.Output]) { description = "\(outputs)" }
}
