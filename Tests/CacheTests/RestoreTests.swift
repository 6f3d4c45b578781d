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
        cache.answer(try cache.take("r1"), "a")
        let backup = cache.stored
        // Cycles that the backup does not know.
        for text in ["b", "c"] {
            cache.pass(70_000)
            cache.answer(try cache.take("r-\(text)"), text)
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
        let lease = try cache.take("r1")
        cache.stored.wasRestored = true
        cache.restart()
        #expect(cache.stored.leases.isEmpty)
        #expect(CacheFixture.cycles(cache.answer(lease, "a")).isEmpty)
    }

    @Test func theSourceOfAVoidLeaseIsNotFetchedBeforeTheLeaseWouldHaveEnded() throws {
        let lease = try cache.take("r1")
        cache.stored.wasRestored = true
        cache.restart()
        cache.pass(Int64(lease.durationMilliseconds) - 1000)
        #expect(cache.lease("r2")?.leases.isEmpty ?? true, "its fetcher may still be waiting for the origin")
        cache.restart()
        #expect(cache.lease("r3")?.leases.isEmpty ?? true, "after another start")
        let answers = CacheFixture.leaseAnswers(cache.pass(1000))
        #expect(answers.flatMap(\.leases).map(\.source) == [lease.source])
    }

    // MARK: Questions of the notifier

    /// Asks whether the cache made a cycle; returns the answer, and the cycles that were made.
    private func confirm(
        _ widget: WidgetID,
        _ sequence: SequenceNumber,
        _ committed: Instant? = nil
    ) throws -> (answer: ConfirmAnswer, cycles: [Event<Refreshed>]) {
        let cycle = ConfirmRequest.Cycle(sequence: sequence, committed: committed)
        let step = cache.feed(.confirm(cache.requester(), ConfirmRequest(widgets: [widget: cycle])))
        let answers = step.effects.compactMap { effect in
            if case .answerConfirm(_, let answer) = effect { answer } else { nil }
        }
        return (try #require(answers.first), CacheFixture.cycles(step))
    }

    private func head() throws -> SequenceNumber { try #require(cache.stored.widgets[widget]?.head) }

    @Test func whoAsksForANumberThatIsTooHighMakesNoCycle() throws {
        let from = SequenceNumber(try head().number + 500)
        let step = cache.feed(.replay(cache.requester(), ReplayRequest(from: [widget: from])))
        #expect(CacheFixture.cycles(step).isEmpty)
    }

    @Test func aCycleThatTheCacheDidNotMakeGetsOneAboveIt() throws {
        cache.answer(try cache.take("r1"), "a")
        let head = try head()
        let wrong = SequenceNumber(head.number + 80_000_000)
        let (answer, cycles) = try confirm(widget, wrong)
        let cycle = try #require(cycles.first)
        #expect(cycle.data.cause == .start)
        #expect(cycle.range == SequenceRange(first: head.next, sequence: wrong.next))
        // The content comes with it, because consumers may have another one.
        #expect(cycle.data.contentSequence == wrong.next)
        #expect(answer == ConfirmAnswer(heads: [widget: wrong.next], raised: [widget]))
        #expect(try self.head() == wrong.next)
    }

    @Test func aCycleThatTheCacheMadeIsConfirmedWithoutANewOne() throws {
        let head = try head()
        let committed = try #require(cache.stored.widgets[widget]?.committed)
        for (sequence, time) in [(head, committed), (head, nil), (head.previous, committed)] {
            let (answer, cycles) = try confirm(widget, sequence, time)
            #expect(cycles.isEmpty)
            #expect(answer == ConfirmAnswer(heads: [widget: head]))
        }
    }

    @Test func anotherCycleWithTheNumberOfTheLatestGetsOneAboveIt() throws {
        let head = try head()
        let committed = try #require(cache.stored.widgets[widget]?.committed)
        let (answer, cycles) = try confirm(widget, head, committed.advanced(byMilliseconds: 1))
        #expect(cycles.count == 1)
        #expect(answer.raised == [widget])
        // Below the latest cycle, what follows has told the truth already.
        cache.pass(1000)
        #expect(try confirm(widget, head, committed.advanced(byMilliseconds: 1)).cycles.isEmpty)
    }

    @Test func aWidgetThatOnlyTheNotifierKnowsIsRemoved() throws {
        let ghost = CacheFixture.widget(99)
        let (answer, cycles) = try confirm(ghost, 7)
        #expect(cycles.map(\.data.cause) == [.removed])
        #expect(answer.raised == [ghost])
        #expect(cycles.first?.range?.sequence == answer.heads[ghost])
        #expect(try confirm(ghost, try #require(answer.heads[ghost])).cycles.isEmpty)
    }

    @Test func aNumberADayAboveAWidgetThatIsAheadOfTheClockGetsACycleAboveIt() throws {
        for _ in 0..<3 {
            let wrong = SequenceNumber(try head().number + UInt64(PlausibleSequence.leadMilliseconds))
            #expect(try confirm(widget, wrong).cycles.map(\.range?.sequence) == [wrong.next])
        }
    }

    @Test func aNumberThatNoCacheCanHaveAssignedIsIgnored() throws {
        let (answer, cycles) = try confirm(widget, SequenceNumber(.max))
        #expect(cycles.isEmpty)
        #expect(answer == ConfirmAnswer(heads: [widget: try head()]))
    }
}
