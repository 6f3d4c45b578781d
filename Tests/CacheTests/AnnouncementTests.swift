// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// Tests of the announced plan: when each source is fetched next.
@Suite struct AnnouncementTests {
    private static let widget = CacheFixture.widget(0)

    private func schedules(_ step: CacheStep) -> [SourceSchedule] {
        step.effects.compactMap { if case .publishSchedule(let schedule, _) = $0 { schedule } else { nil } }
    }

    private func source(_ cache: CacheFixture, of widget: WidgetID = widget) throws -> SourceID {
        try #require(cache.plan.widgets[widget]?.source.id)
    }

    @Test func aSourceIsAnnouncedAsScheduledAsRunningAndWithItsNextAttempt() throws {
        let cache = CacheFixture(CacheFixture.plan())
        let id = try source(cache)
        let start = cache.now
        #expect(
            schedules(cache.feed(.start)).first?.sources
                == [id: PlannedFetch(next: start, state: .scheduled, host: "example.org")]
        )
        let lease = try cache.take("f-1")
        #expect(schedules(cache.pass(1_000)).first?.sources == [id: PlannedFetch(state: .running, host: "example.org")])
        cache.answer(lease, "a")
        let attempt = cache.now
        let expected = PlannedFetch(
            next: attempt.advanced(by: .seconds(60)),
            state: .scheduled,
            host: "example.org",
            lastAttempt: attempt
        )
        #expect(schedules(cache.pass(1_000)).first?.sources == [id: expected])
        cache.command(.refresh, counter: 1)
        #expect(schedules(cache.pass(1_000)).first?.sources[id]?.next == expected.next)
        cache.pass(15_000)
        cache.command(.refresh, counter: 2)
        let pressed = cache.now
        #expect(schedules(cache.pass(1_000)).first?.sources[id]?.next == pressed)
    }

    @Test func thePauseOfAHostIsAnnouncedForAllItsSources() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/0", "https://example.org/1"]))
        cache.answer(try cache.take("f-1"), .failed, failure: .rateLimited, retryAfter: 3_600)
        let end = cache.now.advanced(by: .seconds(3_600))
        let announced = try #require(schedules(cache.pass(1_000)).first)
        #expect(announced.hosts == ["example.org": end])
        var fetches = AnnouncedFetches()
        fetches.take(announced, at: cache.now)
        #expect(announced.sources.count == 2)
        for fetch in announced.sources.values {
            let next = try #require(fetches.nextAttempt(fetch, at: cache.now))
            #expect(next >= end)
        }
        #expect(schedules(cache.pass(3_600_000)).first?.hosts == [:])
    }

    @Test func aPressDuringThePauseOfTheHostMakesACycleWithItsEnd() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/0", "https://example.org/1"]))
        cache.answer(try cache.take("f-1"), .failed, failure: .rateLimited, retryAfter: 3_600)
        let end = cache.now.advanced(by: .seconds(3_600))
        for (index, command) in [Command.refresh, .performUpdate, .nextValue].enumerated() {
            for widget in 0...1 {
                cache.pass(60_000)
                cache.command(command, counter: UInt64(index + 1), on: CacheFixture.widget(widget))
                #expect(cache.cycles.last?.data.blockedUntil == end, "\(command) to w\(widget)")
                #expect(cache.cycles.last?.data.outcome == .fresh)
            }
        }
        cache.now = end
        cache.command(.refresh, counter: 4)
        #expect(cache.cycles.last?.data.blockedUntil == end, "the last cycle is that of the press before")
        cache.command(.setExpanded(true), counter: 5)
        #expect(cache.cycles.last?.data.blockedUntil == nil)
    }

    @Test func eachMessageFitsAClientsFrameWithTheLongestHosts() throws {
        let name = String(repeating: "h", count: 230)
        let cache = CacheFixture(
            CacheFixture.plan((0..<150).map { "https://\($0 + 100_000).\(name).example:12345/" }) { limits in
                limits.hostConcurrency = 200
            }
        )
        cache.feed(.start)
        let leases = try #require(cache.lease("f-1", slots: 200)?.leases)
        for lease in leases { cache.answer(lease, .failed, failure: .rateLimited, retryAfter: 3_600) }
        let announced = schedules(cache.pass(1_000))
        #expect(Set(announced.flatMap(\.sources.keys)).count == 150)
        #expect(Set(announced.flatMap(\.hosts.keys)).count == leases.count)
        for schedule in announced {
            let event = Event(
                .schedule(of: .cache),
                subject: nil,
                nonce: String(repeating: "n", count: Topic.maximumNonceLength),
                counter: .max,
                time: cache.now,
                data: schedule
            )
            #expect(try WireJSON.encode(event).count < MessageLimits.clientFrame)
        }
    }

    @Test func aStartWithManySourcesAnnouncesThemInPortions() throws {
        let cache = CacheFixture(CacheFixture.plan((0..<9_000).map { "https://example.org/\($0)" }))
        var seen: Set<SourceID> = []
        var step = cache.feed(.start)
        for _ in 0..<8 {
            let announced = schedules(step)
            let count = announced.map(\.sources.count).reduce(0, +)
            #expect(count <= FetchAnnouncements.changedAtOnce + FetchAnnouncements.repeatedAtOnce)
            #expect(announced.allSatisfy { $0.roundMilliseconds == 23_000 })
            seen.formUnion(announced.flatMap(\.sources.keys))
            step = cache.pass(1_000)
        }
        #expect(seen.count == 9_000)
    }

    @Test(.timeLimit(.minutes(2)), arguments: TestExtent.of([1], nightly: [1, 2, 3]) as [UInt64])
    func inASimulatedWeekNoPictureChangesBeforeTheAnnouncedTime(seed: UInt64) {
        let week = PlanWeek(seed: seed)
        week.run()
        #expect(week.violations.isEmpty, "\(week.violations.joined(separator: "\n"))")
        // The week is worth nothing if it checks little.
        #expect(week.checkedChanges > 100)
        #expect(week.comparedPlans > 1_000)
        #expect(week.marks > 10)
    }
}
