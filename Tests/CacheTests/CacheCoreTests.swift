// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

@Suite struct CacheCoreTests {
    let cache = CacheFixture(CacheFixture.plan())

    init() { cache.feed(.start) }

    // MARK: Cycles and numbers

    @Test func aNewWidgetStartsAtTheTimeWithARangeFromOne() throws {
        let cycle = try #require(cache.cycles.first)
        #expect(cycle.range == SequenceRange(first: 1, sequence: SequenceNumber(UInt64(cache.now.milliseconds))))
        #expect(cycle.data.cause == .start)
        #expect(cycle.data.contentSequence == nil)
    }

    @Test func everyCycleFollowsTheOneBefore() throws {
        for text in ["a", "b", "b", "c"] {
            cache.pass(70_000)
            cache.answer(try cache.take("r-\(text)-\(cache.cycles.count)"), text)
        }
        #expect(cache.cycles.count == 5)
        for (before, after) in zip(cache.cycles, cache.cycles.dropFirst()) {
            #expect(after.range?.first == before.range?.sequence.next)
            #expect(after.range?.isSingle == true)
        }
        #expect(cache.cycles.map(\.data.outcome) == [.fresh, .changed, .changed, .sameContent, .changed])
    }

    @Test func aCycleWithoutNewContentNamesTheCycleThatBroughtIt() throws {
        cache.answer(try cache.take("r1"), "a")
        let brought = try #require(cache.cycles.last?.range?.sequence)
        cache.pass(70_000)
        let next = try cache.take("r2")
        #expect(next.validators.entityTag == "\"a\"")
        cache.answer(next, .notModified)
        #expect(cache.cycles.last?.data.outcome == .notModified)
        #expect(cache.cycles.last?.data.contentSequence == brought)
    }

    @Test func aFailureKeepsTheContentAndSaysWhenTheNextAttemptIs() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.pass(70_000)
        cache.answer(try cache.take("r2"), .failed, failure: .transient)
        let failed = try #require(cache.cycles.last?.data)
        #expect(failed.outcome == .failed)
        #expect(failed.content?.digest == CacheFixture.digest("a"))
        let nextAttempt = try #require(failed.failure?.nextAttempt)
        // The first pause is the minimum interval, with up to a tenth of jitter.
        #expect((10_000...11_000).contains(nextAttempt.milliseconds(since: cache.now)))
    }

    @Test func oneOutcomeGivesEachWidgetOfTheSourceACycle() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/same", "https://example.org/same"]))
        let leases = try #require(cache.lease("r1")?.leases)
        #expect(leases.count == 1)
        let cycles = CacheFixture.cycles(cache.answer(leases[0], "a"))
        #expect(cycles.compactMap(\.widget) == [CacheFixture.widget(0), CacheFixture.widget(1)])
    }

    // MARK: Commands

    @Test func setExpandedTwiceWithOneCounterIsOneCycle() throws {
        let first = CacheFixture.cycleAnswers(cache.command(.setExpanded(true), counter: 1))
        let cycles = cache.cycles.count
        let again = CacheFixture.cycleAnswers(cache.command(.setExpanded(true), counter: 1))
        #expect(first == again)
        #expect(first.count == 1)
        #expect(cache.cycles.count == cycles)
        #expect(cache.cycles.last?.data.interaction.expanded == true)
        #expect(cache.cycles.last?.data.cause == .interaction)
    }

    @Test func theExpandedStateAndTheCounterSurviveARestart() {
        let first = CacheFixture.cycleAnswers(cache.command(.setExpanded(true), counter: 1))
        cache.restart()
        #expect(CacheFixture.cycleAnswers(cache.command(.setExpanded(true), counter: 1)) == first)
        #expect(cache.core.state.widgets[CacheFixture.widget(0)]?.interaction.expanded == true)
    }

    @Test func anOlderCounterIsRefused() {
        cache.command(.setExpanded(true), counter: 5)
        #expect(CacheFixture.errors(cache.command(.setExpanded(false), counter: 4)) == [.refused])
        #expect(cache.core.state.widgets[CacheFixture.widget(0)]?.interaction.expanded == true)
    }

    @Test func performUpdateWithinTheMinimumIntervalIsAFreshCycleAtOnce() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.pass(9000)
        let step = cache.command(.performUpdate, counter: 1)
        #expect(CacheFixture.cycles(step).map(\.data.outcome) == [.fresh])
        #expect(CacheFixture.cycleAnswers(step).count == 1)
    }

    @Test func performUpdateLaterIsAFetchWhoseCycleIsTheAnswer() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.pass(11_000)
        #expect(CacheFixture.cycleAnswers(cache.command(.performUpdate, counter: 1)).isEmpty)
        let next = try cache.take("r2")
        let step = cache.answer(next, "b")
        #expect(CacheFixture.cycleAnswers(step) == CacheFixture.cycles(step).compactMap(\.range?.sequence))
        let again = CacheFixture.cycleAnswers(cache.command(.performUpdate, counter: 1))
        #expect(again == CacheFixture.cycleAnswers(step))
    }

    @Test func aCommandThatWaitsForItsFetchSurvivesARestart() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.pass(11_000)
        cache.command(.performUpdate, counter: 1)
        cache.restart()
        cache.command(.performUpdate, counter: 1)
        let next = try cache.take("r2")
        #expect(CacheFixture.cycleAnswers(cache.answer(next, "b")).count == 1)
    }

    @Test(arguments: [(14_000, true), (16_000, false)])
    func refreshFetchesButNeverWithinFifteenSecondsOfTheLastAttempt(_ pause: Int64, _ isFresh: Bool) throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        cache.pass(pause)
        let cycles = CacheFixture.cycles(cache.command(.refresh, counter: 1))
        #expect(cycles.isEmpty == !isFresh)
        #expect((cache.lease("r2") == nil) == isFresh)
    }

    @Test func aCommandForAWidgetThatIsNotThereIsAnError() throws {
        let stranger = try #require(WidgetID(rawValue: "stranger"))
        #expect(CacheFixture.errors(cache.command(.refresh, counter: 1, on: stranger)) == [.notFound])
    }

    // MARK: Pushes

    @Test func aPushIsACycleWithItsContentAndTheSameOneAgainIsNone() throws {
        let step = cache.push(["a", "b"], counter: 1)
        let cycle = try #require(CacheFixture.cycles(step).first)
        #expect(cycle.data.cause == .push)
        #expect(cycle.data.outcome == .changed)
        #expect(cycle.data.contentSequence == cycle.range?.sequence)
        #expect(CacheFixture.cycleAnswers(step) == [cycle.range?.sequence])
        let again = cache.push(["a", "b"], counter: 1)
        #expect(CacheFixture.cycles(again).isEmpty)
        #expect(CacheFixture.cycleAnswers(again) == [cycle.range?.sequence])
        #expect(CacheFixture.errors(cache.push(["c"], counter: 0)) == [.refused])
    }

    @Test func pushingWhatIsThereIsACycleOfTheSameContent() {
        cache.push(["a"], counter: 1)
        let cycles = CacheFixture.cycles(cache.push(["a"], counter: 2))
        #expect(cycles.map(\.data.outcome) == [.sameContent])
    }

    @Test func aPushSaysWhetherThereIsAnythingToShowUntilTheNextOne() {
        #expect(CacheFixture.cycles(cache.push(["a"], counter: 1, hasContent: false)).map(\.data.hasContent) == [false])
        #expect(CacheFixture.cycles(cache.push(["a"], counter: 2)).map(\.data.hasContent) == [nil])
    }

    @Test(arguments: [["a", "a"], [""], (0...50).map(String.init)])
    func aPushThatNoParserWouldMakeIsRefusedWithThePlace(_ titles: [String]) {
        let step = cache.push(titles, counter: 1)
        #expect(CacheFixture.errors(step) == [.malformed])
        #expect(CacheFixture.cycles(step).isEmpty)
    }

    @Test func aWidgetOfPushesIsNeverFetched() throws {
        var plan = CacheFixture.plan()
        plan.widgets[CacheFixture.widget(0)]?.source = SourceAddress(pushedTo: CacheFixture.widget(0))
        let cache = CacheFixture.started(plan)
        #expect(cache.lease("r1") == nil)
        cache.push(["a"], counter: 1)
        let cycles = CacheFixture.cycles(cache.command(.refresh, counter: 1))
        #expect(cycles.map(\.data.outcome) == [.fresh])
        #expect(cycles.map(\.data.isPushed) == [true])
    }

    // MARK: Configuration and restarts

    @Test func aRestartWithoutChangesMakesNoCycleAndPublishesTheLastOnesAgain() throws {
        cache.answer(try cache.take("r1"), "a")
        let head = try #require(cache.cycles.last?.range?.sequence)
        let step = cache.restart()
        #expect(CacheFixture.cycles(step).isEmpty)
        #expect(step.effects.contains(.republish(CacheFixture.widget(0), head, content: CacheFixture.digest("a"))))
    }

    @Test func lastEventsArePublishedInBatchesAndBeforeTheNextCyclesOfTheirWidgets() throws {
        var plan = CacheFixture.plan((0..<5).map { "https://host\($0).example.org/" })
        plan.limits.republishedAtOnce = 1
        let cache = CacheFixture.started(plan)
        for number in 0..<5 { cache.command(.setExpanded(true), counter: 1, on: CacheFixture.widget(number)) }
        func published(_ step: CacheStep) -> [WidgetID] {
            step.effects.compactMap { effect in
                switch effect {
                case .republish(let widget, _, _): widget
                case .publish(let cycle, _): cycle.widget
                default: nil
                }
            }
        }
        let heads = { (step: CacheStep) in
            step.effects.contains { if case .publishHeads = $0 { true } else { false } }
        }
        // A start and the end of its batch.
        let start = cache.restart()
        #expect(published(start) == [0, 1].map(CacheFixture.widget))
        #expect(!heads(start) && cache.core.nextDue == Instant(milliseconds: 0))
        // A new cycle of the last widget; the end of its batch publishes the next one.
        let command = cache.command(.setExpanded(false), counter: 2, on: CacheFixture.widget(4))
        #expect(published(command) == [4, 4, 2].map(CacheFixture.widget))
        let rest = cache.feed(.tick)
        #expect(published(rest) == [CacheFixture.widget(3)])
        #expect(heads(rest), "every last event has been published")
    }

    @Test func aChangeOfDisplaysIsAConfigurationCycleThatKeepsTheContent() throws {
        cache.answer(try cache.take("r1"), "a")
        var plan = cache.plan
        plan.widgets[CacheFixture.widget(0)]?.displays.append(CacheFixture.display("panel"))
        let cycle = try #require(CacheFixture.cycles(cache.restart(plan)).first)
        #expect(cycle.data.cause == .configuration)
        #expect(cycle.data.displays.count == 2)
        #expect(cycle.data.content?.digest == CacheFixture.digest("a"))
    }

    @Test func aWidgetThatMovesToAKnownSourceShowsWhatItHolds() throws {
        let (one, two) = ("https://one.example.org/", "https://two.example.org/")
        let cache = CacheFixture.started(CacheFixture.plan([one, two]))
        for lease in try #require(cache.lease("r-1")?.leases) { cache.answer(lease, lease.url) }
        let cycles = CacheFixture.cycles(cache.restart(CacheFixture.plan([one, one])))
        #expect(cycles.map(\.widget) == [CacheFixture.widget(1)])
        #expect(cycles.first?.data.content?.digest == CacheFixture.digest(one))
        #expect(cycles.first?.data.contentSequence == cycles.first?.range?.sequence)
    }

    @Test func aParsingThatASourceHasNotGivenNeedNotWaitForItsInterval() throws {
        cache.answer(try cache.take("r-1"), "a")
        let source = try #require(cache.stored.sources.first?.key)
        // As an earlier version of the program, or another configuration, left it.
        let held = cache.stored.sources[source]?.contents.removeValue(forKey: "feed")
        cache.stored.sources[source]?.contents["feed;other=1"] = held
        cache.restart()
        let lease = try cache.take("r-2")
        #expect(lease.validators == Validators())
        cache.answer(lease, .failed, failure: .transient)
        // Where it went wrong, a restart does not ask sooner.
        cache.restart()
        #expect(cache.lease("r-3") == nil)
    }

    @Test func aChangeOfTheSourceDropsTheContent() throws {
        cache.answer(try cache.take("r1"), "a")
        let cycle = try #require(
            CacheFixture.cycles(cache.restart(CacheFixture.plan(["https://example.org/other"]))).first
        )
        #expect(cycle.data.cause == .configuration)
        #expect(cycle.data.content == nil)
        let next = try cache.take("r2")
        #expect(next.url == "https://example.org/other")
        #expect(next.validators == Validators())
    }

    @Test func aRemovedWidgetHasALastCycleAndComesBackBehindIt() throws {
        let first = try #require(cache.cycles.last?.range?.sequence)
        let removed = try #require(CacheFixture.cycles(cache.restart(CacheFixture.plan([]))).first)
        #expect(removed.data.cause == .removed)
        #expect(removed.data.displays.isEmpty)
        #expect(removed.range == SequenceRange(first.next))
        #expect(CacheFixture.cycles(cache.restart()).isEmpty)
        let back = try #require(CacheFixture.cycles(cache.restart(CacheFixture.plan())).first)
        #expect(back.data.cause == .start)
        #expect(back.range == SequenceRange(first.next.next))
        #expect(back.data.content == nil)
    }
}
