// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

@Suite struct ClockTests {
    private static let hour: Int64 = 3_600_000
    private static let widget = CacheFixture.widget(0)

    /// Returns a started cache with a quote widget, which changes each day, on one display in each time zone.
    private func cache(_ zones: [String], from: Instant) -> CacheFixture {
        var plan = CacheFixture.plan()
        var displays: [Display] = []
        for (index, zone) in zones.enumerated() {
            var display = CacheFixture.display("display-\(index)")
            display.timeZone = zone
            displays.append(display)
        }
        plan.widgets[Self.widget]?.definition = WidgetDefinition(kind: .quote)
        plan.widgets[Self.widget]?.displays = displays
        let cache = CacheFixture(plan)
        cache.now = from
        cache.feed(.start)
        return cache
    }

    private func moment(_ text: String) throws -> Instant { try #require(Instant(text)) }

    private func clockCycles(_ cache: CacheFixture) -> [Instant] {
        cache.cycles.filter { $0.data.cause == .clock }.map(\.data.instant)
    }

    /// Lets time pass to each deadline up to a moment, as the shell does, in steps of 20 s at least.
    private func run(_ cache: CacheFixture, to end: Instant) {
        while let due = cache.core.nextDue, due <= end {
            cache.now = max(due, cache.now.advanced(byMilliseconds: 20_000))
            cache.feed(.tick)
        }
        cache.now = end
        cache.feed(.tick)
    }

    @Test func midnightOfEachTimeZoneHasItsCycle() throws {
        let cache = cache(["Europe/Berlin", "America/New_York"], from: try moment("2026-11-21T12:00:00Z"))
        run(cache, to: try moment("2026-11-22T12:00:00Z"))
        #expect(clockCycles(cache).map(\.description) == ["2026-11-21T23:00:00.000Z", "2026-11-22T05:00:00.000Z"])
    }

    @Test func daylightSavingMovesMidnight() throws {
        let cache = cache(["Europe/Berlin"], from: try moment("2026-03-28T12:00:00Z"))
        run(cache, to: try moment("2026-03-30T12:00:00Z"))
        #expect(clockCycles(cache).map(\.description) == ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"])
    }

    @Test func aMidnightThatPassedWhileNobodyRanHasItsCycleAtTheStart() throws {
        let cache = cache(["UTC"], from: try moment("2026-11-21T23:00:00Z"))
        cache.now = try moment("2026-11-22T00:30:00Z")
        cache.restart()
        #expect(clockCycles(cache).map(\.description) == ["2026-11-22T00:30:00.000Z"])
    }

    @Test func aClockThatJumpsOverDaysGivesOneCycle() throws {
        let cache = cache(["UTC"], from: try moment("2026-11-21T23:00:00Z"))
        let jump = 72 * Self.hour
        cache.now = cache.now.advanced(byMilliseconds: jump)
        cache.feed(.clockJumped(jump))
        #expect(clockCycles(cache).count == 1)
    }

    @Test func aClockSetBackOverMidnightShowsTheDayBefore() throws {
        let cache = cache(["UTC"], from: try moment("2026-11-22T00:30:00Z"))
        cache.now = cache.now.advanced(byMilliseconds: -Self.hour)
        cache.feed(.clockJumped(-Self.hour))
        #expect(clockCycles(cache).map(\.description) == ["2026-11-21T23:30:00.000Z"])
        run(cache, to: try moment("2026-11-22T01:00:00Z"))
        #expect(clockCycles(cache).last?.description == "2026-11-22T00:00:00.000Z")
    }

    @Test func otherKindsHaveNoClockCycles() throws {
        let cache = CacheFixture.started(CacheFixture.plan())
        #expect(cache.core.clockCycles.due.isEmpty)
    }

    // MARK: What waits for so long

    @Test(arguments: [-hour, hour]) func whatWaitsGoesOnWaitingAsLong(_ jump: Int64) throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/0", "https://example.net/1"]))
        let leases = try #require(cache.lease("r1")?.leases)
        cache.answer(leases[0], "a")
        cache.now = cache.now.advanced(byMilliseconds: jump)
        cache.feed(.clockJumped(jump))
        let due = try #require(cache.stored.sources[leases[0].source]?.nextAttempt)
        #expect(due.milliseconds(since: cache.now) == 60_000)
        // The other lease neither ended by the jump nor lasts for an hour now.
        #expect(cache.stored.leases[leases[1].source] != nil)
        cache.pass(cache.plan.limits.leaseDuration.wholeMilliseconds - 1)
        #expect(cache.stored.leases[leases[1].source] != nil)
        cache.pass(1)
        #expect(cache.stored.leases[leases[1].source] == nil)
    }

    @Test func aStartWithTheClockSetBackWaitsNoLongerThanMeant() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/0", "https://example.net/1"]))
        let leases = try #require(cache.lease("r1")?.leases)
        cache.answer(leases[0], "a")
        cache.now = cache.now.advanced(byMilliseconds: -24 * Self.hour)
        cache.restart()
        let due = try #require(cache.stored.sources[leases[0].source]?.nextAttempt)
        #expect(due.milliseconds(since: cache.now) <= 60_000)
        let lease = try #require(cache.stored.leases[leases[1].source])
        #expect(lease.expires.milliseconds(since: cache.now) <= cache.plan.limits.leaseDuration.wholeMilliseconds)
    }

    @Test(arguments: [false, true]) func aLeaseThatExpiredAYearAheadDelaysItsSourceByNoYear(hasContent: Bool) throws {
        let cache = CacheFixture.started(CacheFixture.plan())
        if hasContent { cache.answer(try cache.take("r1"), "a") }
        let present = cache.now
        cache.now = present.advanced(byMilliseconds: 365 * 24 * Self.hour)
        cache.restart()
        _ = try cache.take("r2")
        cache.pass(cache.plan.limits.leaseDuration.wholeMilliseconds)
        cache.now = present
        cache.restart()
        #expect(cache.stored.sources.first?.value.nextAttempt == present.advanced(by: .seconds(60)))
        cache.pass(60_000)
        #expect(cache.lease("r3")?.leases.count == 1)
    }

    @Test func anAttemptAtAConfiguredAddressAYearAheadDelaysTheNextOneByNoYear() throws {
        let cache = CacheFixture.started(CacheFixture.plan())
        cache.answer(try cache.take("r1"), "a", location: "https://example.net/new")
        cache.pass(24 * Self.hour - 30_000)
        let moved = try cache.take("r2")
        #expect(moved.url == "https://example.net/new")
        cache.answer(moved, .notModified)
        let present = cache.now
        cache.now = present.advanced(byMilliseconds: 365 * 24 * Self.hour)
        cache.restart()
        #expect(try cache.take("r3").url == "https://example.org/0")
        cache.pass(cache.plan.limits.leaseDuration.wholeMilliseconds)
        cache.now = present
        cache.restart()
        #expect(cache.stored.sources.first?.value.configuredAttempt == present)
    }

    @Test func aWaitThatARuleAllowsIsTheSameAfterARestart() throws {
        var plan = CacheFixture.plan()
        plan.widgets[Self.widget]?.interval = .seconds(90 * 24 * 3_600)
        let cache = CacheFixture.started(plan)
        cache.answer(try cache.take("r1"), "a")
        let due = cache.stored.sources.first?.value.nextAttempt
        cache.restart()
        #expect(cache.stored.sources.first?.value.nextAttempt == due)
    }
}
