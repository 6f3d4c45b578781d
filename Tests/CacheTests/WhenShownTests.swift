// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

/// Tests of sources that are fetched just before a panel shows them.
@Suite struct WhenShownTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let widget = CacheFixture.widget(0)

    /// Widgets on one host; all are fetched when they are shown, and at most every five minutes.
    private static func plan(_ count: Int = 1, panel: Bool = false) -> CachePlan {
        var plan = CacheFixture.plan((0..<count).map { "https://example.org/\($0)" })
        for id in plan.widgets.keys {
            plan.widgets[id]?.isFetchedWhenShown = true
            plan.widgets[id]?.interval = .seconds(300)
            plan.widgets[id]?.minimumInterval = .seconds(300)
            guard panel else { continue }
            plan.widgets[id]?.staleAfter = .seconds(7_200)
            plan.widgets[id]?.displays[0].family = .panel
            plan.widgets[id]?.displays[0].panel = Panel(palette: .mono)
        }
        return plan
    }

    /// Returns a cache that has fetched each source once.
    private static func cache(_ count: Int = 1, panel: Bool = false) throws -> CacheFixture {
        let cache = CacheFixture.started(plan(count, panel: panel))
        for index in 0..<count { cache.answer(try cache.take("f-first\(index)"), "a\(index)") }
        return cache
    }

    @discardableResult
    private func shown(_ cache: CacheFixture, at instant: Instant, _ widgets: [WidgetID] = [widget]) -> [WidgetID]? {
        let step = cache.feed(.shown(cache.requester(), ShownRequest(widgets: widgets, at: instant)))
        return step.effects.compactMap { if case .answerShown(_, let answer) = $0 { answer.wanted } else { nil } }.last
    }

    private func leases(_ cache: CacheFixture, at instant: Instant) -> [Lease] {
        cache.now = instant
        return cache.lease("f-\(cache.requester())")?.leases ?? []
    }

    private func record(_ cache: CacheFixture, of widget: WidgetID = widget) throws -> SourceRecord {
        let source = try #require(cache.plan.widgets[widget]?.source.id)
        return try #require(cache.stored.sources[source])
    }

    private func planned(_ cache: CacheFixture) throws -> PlannedFetch {
        let source = try #require(cache.plan.widgets[Self.widget]?.source.id)
        let schedules = cache.pass(1_000).effects.compactMap { effect in
            if case .publishSchedule(let schedule, _) = effect { schedule.sources[source] } else { nil }
        }
        return try #require(schedules.last)
    }

    // MARK: The time of an attempt

    @Test func aSourceIsFetchedOnceAndThenRests() throws {
        let cache = try Self.cache()
        let success = cache.now
        let fetch = try planned(cache)
        #expect(fetch.isResting && fetch.next == nil)
        #expect(fetch.whenShown == success.advanced(by: .seconds(300)))
        #expect(cache.core.schedule.nextDeadline.map { $0 <= success } ?? true)
        #expect(leases(cache, at: success.advanced(byMilliseconds: 100 * Self.hour)).isEmpty)
    }

    @Test func anAttemptBeginsBeforeTheWantedTime() throws {
        let cache = try Self.cache()
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        #expect(shown(cache, at: at) == [Self.widget])
        let fetch = try planned(cache)
        #expect(fetch.state == .scheduled && fetch.next == at.advanced(by: .seconds(-10)))
        #expect(leases(cache, at: at.advanced(byMilliseconds: -10_001)).isEmpty)
        let lease = try #require(leases(cache, at: at.advanced(byMilliseconds: -10_000)).first)
        cache.answer(lease, "b")
        #expect(try record(cache).wantedAt == nil)
        #expect(try planned(cache).isResting)
        #expect(leases(cache, at: at.advanced(byMilliseconds: 50 * Self.hour)).isEmpty)
    }

    @Test func theLeadIsTheUsualLatency() throws {
        let cache = try Self.cache()
        for round in 0..<25 {
            let at = cache.now.advanced(byMilliseconds: Self.hour)
            shown(cache, at: at)
            let due = try #require(try planned(cache).next)
            let lease = try #require(leases(cache, at: due).first)
            // One attempt in twenty takes much longer.
            cache.now = due.advanced(byMilliseconds: round == 7 ? 25_000 : 3_000 + Int64(round) * 10)
            cache.answer(lease, "\(round)")
            cache.now = max(cache.now, at)
        }
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        let lead = at.milliseconds(since: try #require(try planned(cache).next))
        #expect((5_000...5_300).contains(lead), "\(lead)")
        #expect(try record(cache).latencies?.count == SourceRecord.keptLatencies)
    }

    @Test func theEarliestWakeOfAllPanelsCounts() throws {
        let cache = try Self.cache()
        let start = cache.now
        func after(_ minutes: Int64) -> Instant { start.advanced(byMilliseconds: minutes * Self.minute) }
        shown(cache, at: after(60))
        shown(cache, at: after(30))
        shown(cache, at: after(45))
        #expect(try record(cache).wantedAt == after(30))
        let again = cache.feed(.shown(cache.requester(), ShownRequest(widgets: [Self.widget], at: after(30))))
        #expect(again.writes.isEmpty, "a repeated request changes nothing")
    }

    @Test func contentThatCannotBeNewerIsNotFetched() throws {
        let cache = try Self.cache()
        #expect(shown(cache, at: cache.now.advanced(byMilliseconds: 2 * Self.minute)) == [], "the minimum interval")
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        let lease = try #require(leases(cache, at: at.advanced(byMilliseconds: -10_000)).first)
        var fresh = Fetched(lease: lease.id, result: .notModified, answeredAt: cache.now)
        fresh.freshness.lifetimeSeconds = 3 * 3_600
        cache.answer(lease, fresh)
        #expect(shown(cache, at: at.advanced(byMilliseconds: 2 * Self.hour)) == [], "max-age")
        #expect(shown(cache, at: at) == [], "it was fetched for this time")
        #expect(shown(cache, at: at.advanced(byMilliseconds: 4 * Self.hour)) == [Self.widget])
        #expect(shown(cache, at: at, [CacheFixture.widget(7)]) == [], "there is no such widget")
    }

    @Test func requestsWithTooLateTimesAndTooManyWidgetsAreRefused() throws {
        let cache = try Self.cache()
        let late = ShownRequest(widgets: [Self.widget], at: cache.now.advanced(by: .seconds(49 * 3_600)))
        #expect(CacheFixture.errors(cache.feed(.shown(cache.requester(), late))) == [.refused])
        let many = ShownRequest(widgets: Array(repeating: Self.widget, count: 1_001), at: cache.now)
        #expect(CacheFixture.errors(cache.feed(.shown(cache.requester(), many))) == [.refused])
    }

    // MARK: Politeness

    @Test func noAttemptIsMadeInAPauseOfTheHostNorAnHourAfterTheWantedTime() throws {
        for (pause, isFetched) in [(1_800, true), (3 * 3_600, false)] {
            let cache = try Self.cache(2)
            let start = cache.now
            let at = start.advanced(byMilliseconds: 20 * Self.minute)
            shown(cache, at: at)
            cache.now = start.advanced(byMilliseconds: 6 * Self.minute)
            cache.command(.refresh, counter: 1, on: CacheFixture.widget(1))
            cache.answer(try cache.take("f-other"), .failed, failure: .rateLimited, retryAfter: pause)
            let end = cache.now.advanced(by: .seconds(pause))
            for minute in 7..<(6 + Int64(pause) / 60) {
                #expect(leases(cache, at: start.advanced(byMilliseconds: minute * Self.minute)).isEmpty)
            }
            #expect(leases(cache, at: end).isEmpty == !isFetched)
            if isFetched { continue }
            #expect(try record(cache).missedAt == at)
            #expect(try record(cache).wantedAt == nil)
            #expect(try planned(cache).isResting)
        }
    }

    @Test func aFailureIsRepeatedWithBackOffForAnHour() throws {
        let cache = try Self.cache()
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        var attempts: [Instant] = []
        while let due = cache.core.schedule.nextDeadline, attempts.count < 100 {
            guard let lease = leases(cache, at: max(due, cache.now)).first else { break }
            attempts.append(cache.now)
            cache.answer(lease, .failed, failure: .transient)
        }
        let last = try #require(attempts.last)
        #expect(attempts.count > 3 && attempts.count < 10)
        #expect(last <= at.advanced(byMilliseconds: Self.hour) && last > at)
        #expect(leases(cache, at: at.advanced(byMilliseconds: 9 * Self.hour)).isEmpty)
        let next = cache.now.advanced(byMilliseconds: Self.hour)
        #expect(shown(cache, at: next) == [Self.widget])
        #expect(!leases(cache, at: next).isEmpty)
    }

    @Test func aWantedTimeIsVoidIfNoFetcherCameForAnHour() throws {
        let cache = try Self.cache()
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        #expect(leases(cache, at: at.advanced(byMilliseconds: Self.hour + 1)).isEmpty)
        #expect(try record(cache).missedAt == at)
        #expect(try planned(cache).isResting)
    }

    // MARK: Commands, restarts and the configuration

    @Test func aCommandFetchesASourceThatRestsAndChangesNoWantedTime() throws {
        let cache = try Self.cache()
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        cache.pass(20 * Self.minute)
        cache.command(.refresh, counter: 1)
        cache.restart()
        let lease = try #require(leases(cache, at: cache.now).first)
        cache.answer(lease, "b")
        #expect(try record(cache).wantedAt == at)
        #expect(leases(cache, at: at.advanced(byMilliseconds: -20_000)).isEmpty)
        #expect(!leases(cache, at: at.advanced(byMilliseconds: -1_000)).isEmpty)
    }

    @Test func aRestartKeepsTheWantedTimeAndTheLead() throws {
        let cache = try Self.cache()
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        cache.restart()
        #expect(try planned(cache).next == at.advanced(by: .seconds(-10)))
        let record = try record(cache)
        #expect(try WireJSON.decode(SourceRecord.self, from: WireJSON.encode(record)) == record)
    }

    @Test func theWantedTimeMovesWithTheClock() throws {
        let cache = try Self.cache()
        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        cache.now = cache.now.advanced(byMilliseconds: 5 * Self.hour)
        cache.feed(.clockJumped(5 * Self.hour))
        #expect(try record(cache).wantedAt == at.advanced(byMilliseconds: 5 * Self.hour))
    }

    @Test func aWidgetWithAnIntervalDecidesForItsSource() throws {
        var plan = Self.plan()
        var other = try #require(plan.widgets[Self.widget])
        (other.id, other.isFetchedWhenShown, other.interval) = (CacheFixture.widget(1), false, .seconds(900))
        plan.widgets[other.id] = other
        let cache = CacheFixture.started(plan)
        cache.answer(try cache.take("f-1"), "a")
        let source = try #require(cache.core.sources[other.source.id])
        #expect(!source.isFetchedWhenShown && source.interval == .seconds(900))
        #expect(shown(cache, at: cache.now.advanced(byMilliseconds: Self.hour)) == [])
        #expect(!leases(cache, at: cache.now.advanced(by: .seconds(900))).isEmpty)
    }

    @Test func aNewConfigurationBeginsAndEndsTheRest() throws {
        let cache = try Self.cache()
        let start = cache.now
        var regular = cache.plan
        regular.widgets[Self.widget]?.isFetchedWhenShown = false
        cache.plan = regular
        cache.feed(.configure(regular))
        #expect(try planned(cache).next == start.advanced(by: .seconds(300)))
        cache.plan = Self.plan()
        cache.feed(.configure(Self.plan()))
        #expect(try planned(cache).isResting)
        #expect(leases(cache, at: start.advanced(byMilliseconds: Self.hour)).isEmpty)
    }

    @Test func recordsOfOtherSourcesAreStoredAsBefore() throws {
        let cache = CacheFixture.started(CacheFixture.plan())
        cache.answer(try cache.take("f-1"), "a")
        let text = String(decoding: try WireJSON.encode(try record(cache)), as: UTF8.self)
        for name in ["wantedAt", "missedAt", "isDemanded", "latencies"] { #expect(!text.contains(name)) }
        let former = try WireJSON.decode(SourceRecord.self, from: Data(text.utf8))
        let stored = try record(cache)
        #expect(former == stored)
    }

    // MARK: Stale marks

    @Test func contentIsStaleFromTheMissedWakeAndNotWhileTheSourceRests() throws {
        let cache = try Self.cache(panel: true)
        let success = cache.now
        #expect(cache.cycles.last?.data.staleAt == nil)
        for _ in 0..<20 { cache.pass(Self.hour) }
        #expect(!cache.cycles.contains { $0.data.staleSince != nil }, "nobody looked")

        let at = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: at)
        for _ in 0..<360 {
            for lease in leases(cache, at: cache.now.advanced(byMilliseconds: Self.minute)) {
                cache.answer(lease, .failed, failure: .transient)
            }
        }
        let marks = cache.cycles.filter { $0.data.cause == .clock && $0.data.staleSince != nil }
        #expect(marks.first?.data.instant == at.advanced(by: .seconds(7_200)))
        #expect(marks.allSatisfy { $0.data.staleSince == success })

        let next = cache.now.advanced(byMilliseconds: Self.hour)
        shown(cache, at: next)
        cache.answer(try #require(leases(cache, at: next).first), "b")
        #expect(cache.cycles.last?.data.staleSince == nil)
        #expect(cache.cycles.last?.data.staleAt == nil)
    }

    @Test func aSourceThatRestsIsNotReportedAsSilent() throws {
        let cache = try Self.cache()
        for round in 0..<6 {
            let at = cache.now.advanced(byMilliseconds: Self.hour)
            shown(cache, at: at)
            cache.answer(try #require(leases(cache, at: at).first), "b\(round)")
        }
        for _ in 0..<72 { cache.pass(Self.hour) }
        #expect(cache.core.reports.silent.isEmpty)
    }
}
