// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

@Suite struct RestoreTests {
    private let cache = CacheFixture(CacheFixture.plan())
    private let widget = CacheFixture.widget(0)

    init() { cache.feed(.start) }

    @Test func aRestoredStoreGivesEachWidgetANumberThatWasNeverUsed() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        let backup = cache.stored
        // Cycles that the backup does not know.
        for text in ["b", "c"] {
            cache.pass(70_000)
            cache.answer(try #require(cache.lease("r-\(text)")?.leases.first), text)
        }
        let used = try #require(cache.stored.widgets[widget]?.head)
        cache.stored = backup
        cache.stored.wasRestored = true
        cache.now = cache.now.advanced(byMilliseconds: 1000)
        let cycles = CacheFixture.cycles(cache.restart())
        let range = try #require(cycles.first?.range)
        #expect(cycles.map(\.data.cause) == [.start])
        #expect(range.first == backup.widgets[widget]?.head.next)
        #expect(range.sequence > used)
        // The content is brought again under the new number: the old one may name another by now.
        #expect(cycles.first?.data.contentSequence == range.sequence)
        #expect(cache.stored.wasRestored == false)
    }

    @Test func leasesOfARestoredStoreAreVoid() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.stored.wasRestored = true
        cache.restart()
        #expect(cache.stored.leases.isEmpty)
        #expect(CacheFixture.cycles(cache.answer(lease, "a")).isEmpty)
    }

    @Test func theSourceOfAVoidLeaseIsNotFetchedBeforeTheLeaseWouldHaveEnded() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.stored.wasRestored = true
        cache.restart()
        cache.pass(Int64(lease.durationMilliseconds) - 1000)
        #expect(cache.lease("r2")?.leases.isEmpty ?? true, "its fetcher may still be waiting for the origin")
        cache.restart()
        #expect(cache.lease("r3")?.leases.isEmpty ?? true, "after another start")
        let answers = CacheFixture.leaseAnswers(cache.pass(1000))
        #expect(answers.flatMap(\.leases).map(\.source) == [lease.source])
    }

    @Test func whoHasSeenLaterNumbersRaisesAnAlarmAndMakesNoCycle() throws {
        let head = try #require(cache.stored.widgets[widget]?.head)
        let from = SequenceNumber(head.number + 500)
        let actions = cache.feed(.replay(cache.requester(), ReplayRequest(from: [widget: from])))
        #expect(CacheFixture.cycles(actions).isEmpty)
        #expect(actions.contains(.reportBehind(widget, askedFrom: from)))
    }

    @Test func nobodyRaisesTheAlarmAgainAndAgain() {
        func alarms(_ number: UInt64) -> Int {
            let request = ReplayRequest<Refreshed>(from: [widget: SequenceNumber(number)])
            return cache.feed(.replay(cache.requester(), request)).count { action in
                if case .effect(.reportBehind) = action { true } else { false }
            }
        }
        let now = UInt64(cache.now.milliseconds)
        #expect(alarms(now + 1000) == 1)
        #expect(alarms(now + 2000) == 0)
        #expect(alarms(.max) == 0)
        cache.pass(ConsumersAhead.alarmInterval.wholeMilliseconds)
        #expect(alarms(now + 3000) == 1)
    }

    /// Puts a promoted server in place of the store, and returns a number that the former primary's owner has given since.
    private func forkWithHigherNumberElsewhere() throws -> SequenceNumber {
        cache.stored.wasRestored = true
        cache.restart()
        let head = try #require(cache.stored.widgets[widget]?.head)
        cache.pass(3000)
        return SequenceNumber(head.number + 2000)
    }

    /// Requests a replay behind a number, and returns the cycles that were made.
    private func ask(behind last: SequenceNumber) -> [Event<Refreshed>] {
        CacheFixture.cycles(cache.feed(.replay(cache.requester(), ReplayRequest(from: [widget: last.next]))))
    }

    @Test func aConsumerThatStaysAheadAfterAForkGetsALaterNumber() throws {
        let seen = try forkWithHigherNumberElsewhere()
        let head = try #require(cache.stored.widgets[widget]?.head)
        for _ in 0..<10 {
            #expect(ask(behind: seen).isEmpty)
            cache.pass(1000)
        }
        let range = try #require(ask(behind: seen).first?.range)
        #expect(range.first == head.next)
        #expect(range.sequence > seen)
        #expect(cache.stored.widgets[widget]?.head == range.sequence)
        #expect(ask(behind: range.sequence).isEmpty)
    }

    @Test func aRequestThatIsNotRepeatedInTimeMakesNoCycle() throws {
        let seen = try forkWithHigherNumberElsewhere()
        #expect(ask(behind: seen).isEmpty)
        cache.pass(ConsumersAhead.longestPause.wholeMilliseconds)
        #expect(ask(behind: seen).isEmpty)
    }

    @Test func requestsForTheFutureMakeNoCycleHoweverLongTheyLast() throws {
        _ = try forkWithHigherNumberElsewhere()
        for _ in 0..<30 {
            #expect(ask(behind: SequenceNumber(UInt64(cache.now.milliseconds) + 60_000)).isEmpty)
            cache.pass(1000)
        }
    }

    @Test func requestsForTheFutureDoNotMakeAnotherRequestLast() throws {
        let seen = try forkWithHigherNumberElsewhere()
        for _ in 0..<30 {
            #expect(ask(behind: SequenceNumber(UInt64(cache.now.milliseconds))).isEmpty)
            cache.pass(1000)
        }
        #expect(ask(behind: seen).isEmpty)
    }

    @Test func aWidgetThatWasNumberedLongAgoIsNotNumberedAgain() throws {
        let seen = try forkWithHigherNumberElsewhere()
        cache.pass(CacheCore.renumberingWindow.wholeMilliseconds)
        for _ in 0..<30 {
            #expect(ask(behind: seen).isEmpty)
            cache.pass(1000)
        }
    }
}
