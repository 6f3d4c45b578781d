// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

@Suite struct ReconfigurationTests {
    private let cache = CacheFixture(CacheFixture.plan(["https://example.org/0", "https://example.org/1"]))

    init() {
        cache.feed(.start)
        cache.pass(1000)
    }

    private func configure(_ urls: [String], _ change: (inout CachePlan) -> Void = { _ in }) -> [Event<Refreshed>] {
        var plan = CacheFixture.plan(urls)
        change(&plan)
        return CacheFixture.cycles(cache.feed(.configure(plan)))
    }

    @Test func theSameConfigurationTouchesNothing() {
        #expect(configure(["https://example.org/0", "https://example.org/1"]).isEmpty)
    }

    @Test func anAddedWidgetBeginsAndTheOthersAreNotTouched() {
        let cycles = configure(["https://example.org/0", "https://example.org/1", "https://example.org/2"])
        #expect(cycles.map(\.widget) == [CacheFixture.widget(2)])
        #expect(cycles.map(\.data.cause) == [.start])
        #expect(cache.lease("r1")?.leases.count == 1)
    }

    @Test func aRemovedWidgetHasALastCycleAndItsSourceIsForgotten() throws {
        let source = try #require(cache.core.plan.widgets[CacheFixture.widget(1)]?.source.id)
        let cycles = configure(["https://example.org/0"])
        #expect(cycles.map(\.widget) == [CacheFixture.widget(1)])
        #expect(cycles.map(\.data.cause) == [.removed])
        #expect(cache.stored.sources[source] == nil)
        cache.pass(120_000)
        #expect(cache.lease("r1")?.leases.map(\.source).contains(source) == false)
    }

    /// The ways in which a lease ends.
    enum End: CaseIterable {
        case outcome, givenBack, expired
    }

    @Test(arguments: End.allCases, [false, true])
    func aHostIsBusyUntilWhatNobodyWantsAnyMoreIsFetched(_ end: End, isRestarted: Bool) throws {
        let lease = try cache.take("f-1")
        let other = lease.url.hasSuffix("0") ? "https://example.org/1" : "https://example.org/0"
        if isRestarted { cache.restart(CacheFixture.plan([other])) } else { _ = configure([other]) }
        #expect(cache.lease("f-2") == nil, "the host is asked for one source at a time")
        let step: CacheStep
        switch end {
        case .outcome: step = cache.answer(lease, "late")
        case .givenBack:
            _ = cache.lease("f-3", slots: 0, givenBack: [lease.id])
            step = cache.pass(1)
        case .expired: step = cache.pass(cache.core.limits.leaseDuration.wholeMilliseconds)
        }
        let granted = CacheFixture.leaseAnswers(step).flatMap(\.leases) + (cache.lease("f-4")?.leases ?? [])
        #expect(granted.map(\.url) == [other])
        #expect(cache.stored.sources[lease.source] == nil)
        #expect(cache.stored.leases[lease.source] == nil)
    }

    @Test func aSourceThatIsWantedAgainWhileItIsFetchedTakesTheOutcome() throws {
        let lease = try cache.take("r1")
        _ = configure([])
        _ = configure(["https://example.org/0", "https://example.org/1"])
        let cycles = CacheFixture.cycles(cache.answer(lease, "news"))
        #expect(cycles.map(\.data.outcome) == [.changed])
    }

    @Test func aWidgetThatComesBackGoesOnCounting() throws {
        _ = configure(["https://example.org/0"])
        let last = try #require(cache.stored.widgets[CacheFixture.widget(1)]?.head)
        let cycles = configure(["https://example.org/0", "https://example.org/1"])
        #expect(cycles.map(\.range) == [SequenceRange(last.next)])
        #expect(cycles.map(\.data.cause) == [.start])
    }

    @Test func changedDisplaysGiveAConfigurationCycle() {
        let cycles = configure(["https://example.org/0", "https://example.org/1"]) { plan in
            plan.widgets[CacheFixture.widget(0)]?.displays = [CacheFixture.display("watch")]
        }
        #expect(cycles.map(\.widget) == [CacheFixture.widget(0)])
        #expect(cycles.map(\.data.cause) == [.configuration])
        #expect(cycles.first?.data.displays.map(\.name.rawValue) == ["watch"])
    }

    @Test func aShorterIntervalCountsFromTheLastAttempt() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        cache.pass(20_000)
        _ = configure(["https://example.org/0", "https://example.org/1"]) { plan in
            for id in plan.widgets.keys { plan.widgets[id]?.interval = .seconds(15) }
        }
        let due = try #require(cache.stored.sources[lease.source]?.nextAttempt)
        #expect(due == cache.now)
    }

    @Test(arguments: [15, 90]) func aChangedIntervalCountsAfterARestart(seconds: Int) throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        let last = cache.now
        cache.pass(10_000)
        var plan = cache.plan
        for id in plan.widgets.keys { plan.widgets[id]?.interval = .seconds(seconds) }
        for _ in 0..<2 {
            cache.restart(plan)
            #expect(cache.stored.sources[lease.source]?.nextAttempt == last.advanced(by: .seconds(seconds)))
        }
    }

    @Test func aTimeThatTheOriginRequestedIsKeptAfterARestartWithAnotherInterval() throws {
        let lease = try cache.take("r1")
        let fetched = Fetched(
            lease: lease.id,
            result: .content,
            contents: [ContentReference(parsing: "feed", digest: CacheFixture.digest("a"))],
            freshness: Freshness(lifetimeSeconds: 3_600),
            answeredAt: cache.now
        )
        cache.answer(lease, fetched, contents: ["a"])
        let due = try #require(cache.stored.sources[lease.source]?.nextAttempt)
        var plan = cache.plan
        for id in plan.widgets.keys { plan.widgets[id]?.interval = .seconds(15) }
        cache.restart(plan)
        #expect(cache.stored.sources[lease.source]?.nextAttempt == due)
    }

    @Test func theIntervalOfAnEarlierVersionIsUnknownAndChangesNoAttempt() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        let due = try #require(cache.stored.sources[lease.source]?.nextAttempt)
        cache.stored.sources[lease.source]?.plannedInterval = nil
        var plan = cache.plan
        for id in plan.widgets.keys { plan.widgets[id]?.interval = .seconds(15) }
        cache.restart(plan)
        #expect(cache.stored.sources[lease.source]?.nextAttempt == due)
    }

    @Test func aChangeWhileTheCacheRunsCountsForRecordsOfAnEarlierVersion() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        let due = try #require(cache.stored.sources[lease.source]?.nextAttempt)
        cache.stored.sources[lease.source]?.plannedInterval = nil
        cache.restart()
        _ = configure(["https://example.org/0", "https://example.org/1"]) { plan in
            for id in plan.widgets.keys { plan.widgets[id]?.interval = .seconds(120) }
        }
        #expect(cache.stored.sources[lease.source]?.nextAttempt == due.advanced(by: .seconds(60)))
    }

    @Test func aCommandThatWaitedForARemovedWidgetIsAnsweredByItsLastCycle() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.pass(30_000)
        #expect(CacheFixture.cycleAnswers(cache.command(.refresh, counter: 1)).isEmpty)
        let step = cache.feed(.configure(CacheFixture.plan([])))
        let head = try #require(cache.stored.widgets[CacheFixture.widget(0)]?.head)
        #expect(CacheFixture.cycleAnswers(step) == [head])
    }
}
