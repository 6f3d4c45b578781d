// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

/// The marks on panels whose content was not confirmed for a while.
@Suite struct StaleMarkTests {
    private static let minute: Int64 = 60_000
    private static let hour = 60 * minute
    private static let widget = CacheFixture.widget(0)
    /// Far from each midnight of UTC.
    private static let start = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 2 * hour)

    private static func panel(_ name: String = "wall", header: BoardCell.Header? = nil) throws -> Display {
        var display = CacheFixture.display(name)
        (display.family, display.width, display.maximumHeight, display.scale) = (.panel, 800, 480, 1)
        display.panel = Panel(palette: .mono)
        if let header {
            let place = BoardPlace(id: try #require(BoardID(rawValue: "kitchen")), revision: "0", cell: 0, of: 1)
            display.panel?.cell = BoardCell(place: place, header: header)
        }
        return display
    }

    /// Returns a started cache with one widget on a phone and on a panel, which is fetched every half an hour.
    private func cache(
        kind: WidgetKind = .feed,
        staleAfter: Duration? = .seconds(2 * 3_600),
        isPushed: Bool = false,
        displays: [Display]? = nil
    ) throws -> CacheFixture {
        var plan = CacheFixture.plan(kind: kind)
        let shown = try displays ?? [CacheFixture.display("phone"), Self.panel()]
        plan.widgets[Self.widget]?.displays = shown
        plan.widgets[Self.widget]?.staleAfter = staleAfter
        plan.widgets[Self.widget]?.interval = .seconds(1_800)
        if isPushed { plan.widgets[Self.widget]?.source = SourceAddress(pushedTo: Self.widget) }
        let cache = CacheFixture(plan)
        cache.now = Self.start
        cache.feed(.start)
        return cache
    }

    /// Lets time pass to each deadline up to `end`, and fetches what is due with an outcome; nil if nobody fetches.
    ///
    /// There is a deadline each second; a day is shorter if it passes in steps of `step` milliseconds at least.
    private func run(_ cache: CacheFixture, for time: Int64, _ outcome: Fetched.Result?, step: Int64 = 0) throws {
        let end = cache.now.advanced(byMilliseconds: time)
        while let due = cache.core.nextDue, due <= end {
            cache.now = max(due, cache.now.advanced(byMilliseconds: step))
            cache.feed(.tick)
            guard let outcome, cache.core.schedule.nextDeadline.map({ $0 <= cache.now }) ?? false else { continue }
            let lease = try cache.take("\(cache.now)")
            cache.answer(lease, outcome, failure: outcome == .failed ? .transient : nil)
        }
        cache.now = end
        cache.feed(.tick)
    }

    /// Fetches the first content.
    private func fetch(_ cache: CacheFixture) throws { cache.answer(try cache.take("first"), "a") }

    private func clockCycles(_ cache: CacheFixture) -> [Event<Refreshed>] {
        cache.cycles.filter { $0.data.cause == .clock }
    }

    @Test func oneClockCycleDrawsTheMarkAndFailuresNeitherMoveNorRepeatIt() throws {
        let cache = try cache()
        try fetch(cache)
        let success = cache.now
        #expect(cache.cycles.last?.data.staleAt == success.advanced(byMilliseconds: 2 * Self.hour))
        #expect(cache.cycles.last?.data.staleSince == nil)
        try run(cache, for: 10 * Self.hour, .failed)
        let failures = cache.cycles.filter { $0.data.outcome == .failed }
        #expect(failures.count > 4)
        #expect(clockCycles(cache).map(\.data.instant) == [success.advanced(byMilliseconds: 2 * Self.hour)])
        #expect(clockCycles(cache).first?.data.staleSince == success)
        for cycle in cache.cycles where cycle.data.content != nil {
            let isLate = cycle.data.instant >= success.advanced(byMilliseconds: 2 * Self.hour)
            #expect(cycle.data.staleSince == (isLate ? success : nil))
        }
    }

    @Test(arguments: [Fetched.Result.notModified, .sameBytes])
    func aSuccessWithoutNewContentRemovesTheMark(_ result: Fetched.Result) throws {
        let cache = try cache()
        try fetch(cache)
        try run(cache, for: 3 * Self.hour, .failed)
        #expect(cache.cycles.last?.data.staleSince != nil)
        try run(cache, for: 5 * Self.hour, result)
        let success = try #require(cache.cycles.last?.data)
        #expect(success.staleSince == nil && success.lastSuccess == success.instant)
        #expect(clockCycles(cache).count == 1)
    }

    @Test func aFailureBetweenSuccessesIsInvisible() throws {
        let cache = try cache(staleAfter: .seconds(3_600))
        try fetch(cache)
        for _ in 0..<6 {
            try run(cache, for: 31 * Self.minute, .failed)
            try run(cache, for: 10 * Self.minute, .notModified)
        }
        let outcomes = cache.cycles.map(\.data.outcome)
        #expect(outcomes.contains(.failed) && outcomes.last == .notModified)
        #expect(clockCycles(cache).isEmpty)
        #expect(cache.cycles.allSatisfy { $0.data.staleSince == nil })
    }

    @Test func contentThatTheOriginCallsFreshIsNotStaleBeforeItIsToBeFetched() throws {
        let cache = try cache(staleAfter: .seconds(2 * 3_600))
        let lease = try cache.take("first")
        let digest = CacheFixture.digest("a")
        var fetched = Fetched(
            lease: lease.id,
            result: .content,
            contents: [ContentReference(parsing: "feed", digest: digest)],
            answeredAt: cache.now
        )
        fetched.freshness.lifetimeSeconds = 4 * 3_600
        cache.answer(lease, fetched, contents: ["a"])
        let planned = try #require(cache.stored.sources[lease.source]?.nextAttempt)
        #expect(planned.milliseconds(since: cache.now) >= 4 * Self.hour)
        let mark = try #require(cache.cycles.last?.data.staleAt)
        #expect(mark.milliseconds(since: planned) == 2 * Self.hour - 30 * Self.minute)
        #expect(cache.cycles.last?.data.lastSuccess == cache.now)
    }

    @Test func aWidgetWithoutAPanelHasNoMark() throws {
        let cache = try cache(displays: [CacheFixture.display("phone")])
        try fetch(cache)
        try run(cache, for: 10 * Self.hour, .failed)
        #expect(cache.cycles.allSatisfy { $0.data.staleAt == nil && $0.data.lastSuccess == nil })
        #expect(cache.core.clockCycles.due.isEmpty)
        let text = String(decoding: try WireJSON.encode(try #require(cache.cycles.last)), as: UTF8.self)
        #expect(!text.contains("staleAt") && !text.contains("lastSuccess"))
    }

    @Test func aWidgetWithoutContentHasNoMark() throws {
        let cache = try cache()
        try run(cache, for: 10 * Self.hour, .failed)
        #expect(cache.cycles.allSatisfy { $0.data.staleAt == nil })
    }

    @Test func pushedContentIsStaleOnlyIfThatIsConfigured() throws {
        for staleAfter in [nil, Duration.seconds(3_600)] {
            let cache = try cache(staleAfter: staleAfter, isPushed: true)
            cache.push(["a"], counter: 1)
            try run(cache, for: 30 * Self.minute, nil)
            // The same content again is a success, too.
            cache.push(["a"], counter: 2)
            let push = cache.now
            try run(cache, for: 5 * Self.hour, nil)
            let marks = clockCycles(cache).map(\.data.staleSince)
            #expect(marks == (staleAfter == nil ? [] : [push]))
        }
    }

    @Test func theMarkSurvivesRestartsWithoutAnotherCycle() throws {
        let cache = try cache()
        try fetch(cache)
        let success = cache.now
        try run(cache, for: 3 * Self.hour, nil)
        let count = cache.cycles.count
        cache.restart()
        try run(cache, for: Self.hour, nil)
        #expect(cache.cycles.count == count)
        cache.command(.setExpanded(true), counter: 1)
        #expect(cache.cycles.last?.data.staleSince == success)
    }

    @Test func afterALongStopSourcesAreFetchedBeforeAMarkIsDrawn() throws {
        let cache = try cache()
        try fetch(cache)
        let success = cache.now
        cache.now = cache.now.advanced(byMilliseconds: 10 * Self.hour)
        cache.restart()
        #expect(clockCycles(cache).isEmpty)
        try run(cache, for: 2 * Self.minute, .notModified)
        try run(cache, for: Self.hour, nil)
        #expect(clockCycles(cache).isEmpty)
        // If nobody fetches, the mark comes when the grace ends.
        cache.now = cache.now.advanced(byMilliseconds: 5 * Self.hour)
        cache.restart()
        let restart = cache.now
        try run(cache, for: Self.hour, nil)
        let cycle = try #require(clockCycles(cache).first?.data)
        #expect(clockCycles(cache).count == 1 && cycle.instant.milliseconds(since: restart) == 5 * Self.minute)
        #expect(cycle.staleSince != nil && cycle.staleSince != success)
    }

    @Test func aMachineThatWasSuspendedDrawsNoMarkAtOnce() throws {
        let cache = try cache()
        try fetch(cache)
        cache.pass(10 * Self.hour)
        #expect(clockCycles(cache).isEmpty)
        try run(cache, for: Self.hour, nil)
        #expect(clockCycles(cache).count == 1)
    }

    @Test func aRestoredStoreKeepsTheTimeSinceWhichContentIsStale() throws {
        let cache = try cache()
        try fetch(cache)
        let success = cache.now
        try run(cache, for: 3 * Self.hour, nil)
        cache.stored.wasRestored = true
        cache.restart()
        #expect(cache.cycles.last?.data.cause == .start)
        #expect(cache.cycles.last?.data.staleSince == success)
    }

    @Test func aClockThatIsSetBackRemovesTheMarkOnceAndDrawsItAgain() throws {
        let cache = try cache()
        try fetch(cache)
        try run(cache, for: 3 * Self.hour, nil)
        cache.now = cache.now.advanced(byMilliseconds: -2 * Self.hour)
        cache.feed(.clockJumped(-2 * Self.hour))
        #expect(clockCycles(cache).map { $0.data.staleSince == nil } == [false, true])
        try run(cache, for: 2 * Self.hour, nil)
        #expect(clockCycles(cache).map { $0.data.staleSince == nil } == [false, true, false])
    }

    @Test func aSuccessInTheFutureCountsFromNow() throws {
        let cache = try cache()
        try fetch(cache)
        cache.now = cache.now.advanced(byMilliseconds: -24 * Self.hour)
        cache.restart()
        #expect(cache.stored.widgets[Self.widget]?.lastSuccess?.at == cache.now)
        try run(cache, for: 3 * Self.hour, nil)
        #expect(cache.cycles.last?.data.staleSince != nil)
    }

    @Test func anotherStaleAfterHoldsAtOnceAndMakesACycleOnlyIfTheMarkChanges() throws {
        let cache = try cache()
        try fetch(cache)
        try run(cache, for: 3 * Self.hour, nil)
        func configure(_ staleAfter: Duration?) throws -> [Bool] {
            var plan = cache.plan
            plan.widgets[Self.widget]?.staleAfter = staleAfter
            cache.plan = plan
            let count = cache.cycles.count
            cache.feed(.configure(plan))
            return cache.cycles.dropFirst(count).map { $0.data.staleSince != nil }
        }
        #expect(try configure(.seconds(3_600)) == [])
        #expect(try configure(.seconds(4 * 3_600)) == [false])
        #expect(try configure(.seconds(3_600)) == [true])
        #expect(try configure(nil) == [false])
        #expect(try configure(nil) == [])
    }

    @Test func aPanelThatIsAddedToAStaleWidgetShowsTheMark() throws {
        let cache = try cache(displays: [CacheFixture.display("phone")])
        try fetch(cache)
        let success = cache.now
        try run(cache, for: 3 * Self.hour, nil)
        var plan = cache.plan
        plan.widgets[Self.widget]?.displays.append(try Self.panel())
        cache.feed(.configure(plan))
        #expect(cache.cycles.last?.data.staleSince == success)
    }

    @Test func aTimeThatMovesOnNeedsOneEntryInTheQueue() {
        var cycles = ClockCycles()
        let times = (1...1_000).map { Instant(milliseconds: $0) }
        for time in times { cycles.schedule(Self.widget, at: time) }
        #expect(cycles.nextDeadline == times.first && cycles.due[Self.widget] == times.last)
        #expect(cycles.next(at: times[0]) == nil)
        #expect(cycles.nextDeadline == times.last)
        cycles.schedule(Self.widget, at: times[500])
        #expect(cycles.next(at: times[499]) == nil && cycles.next(at: times[500]) == Self.widget)
        #expect(cycles.next(at: times[999]) == nil && cycles.due.isEmpty && cycles.nextDeadline == nil)
    }

    // MARK: Days

    @Test(arguments: WidgetKind.allCases) func panelsShowAnotherDayAtMidnightUnlessTheyShowFacts(_ kind: WidgetKind)
        throws
    {
        var berlin = try Self.panel("berlin")
        berlin.timeZone = "Europe/Berlin"
        let cache = try cache(kind: kind, staleAfter: nil, displays: [berlin, CacheFixture.display("phone")])
        try run(cache, for: 24 * Self.hour, nil, step: 20_000)
        let dependsOnDay = kind == .forecast || kind == .quote
        // Midnight in Berlin, and in the zone of the phone, UTC. On the phone, feeds do not depend on the day.
        let midnights = kind == .keyValue ? [] : dependsOnDay ? ["T23:00", "T00:00"] : ["T23:00"]
        #expect(clockCycles(cache).map { String($0.data.instant.description.dropFirst(10).prefix(6)) } == midnights)
    }

    @Test func theDateAboveABoardChangesAtMidnightOfItsOwnZone() throws {
        var cell = try Self.panel(header: .date)
        cell.timeZone = "Asia/Tokyo"
        let cache = try cache(kind: .keyValue, staleAfter: nil, displays: [cell])
        try run(cache, for: 24 * Self.hour, nil, step: 20_000)
        #expect(clockCycles(cache).map(\.data.instant.description) == ["2026-11-21T15:00:00.000Z"])
    }

    @Test func theDayOfAMarkChangesAtMidnight() throws {
        let cache = try cache(kind: .keyValue)
        cache.answer(try cache.take("first"), "a", parsing: "keyValue")
        try run(cache, for: 24 * Self.hour, nil, step: 20_000)
        let cycles = clockCycles(cache).map { ($0.data.instant.description, $0.data.staleSince != nil) }
        #expect(cycles.map(\.0) == ["2026-11-21T04:00:00.000Z", "2026-11-22T00:00:00.000Z"])
        #expect(cycles.map(\.1) == [true, true])
    }

    // MARK: Earlier versions

    /// Removes from the store what earlier versions did not write.
    private func downgrade(_ cache: CacheFixture) {
        cache.stored.widgets[Self.widget]?.lastSuccess = nil
        cache.stored.widgets[Self.widget]?.staleAt = nil
    }

    @Test func aStoreOfAnEarlierVersionNeedsNoRequestAndHasNoFalseMark() throws {
        let cache = try cache()
        try fetch(cache)
        let success = cache.now
        try run(cache, for: 20 * Self.minute, nil)
        downgrade(cache)
        let (count, plan) = (cache.cycles.count, cache.stored.sources)
        cache.restart()
        #expect(cache.cycles.count == count)
        #expect(cache.stored.sources == plan)
        // The last attempt succeeded, so its time is known, even if the next ones fail.
        try run(cache, for: 4 * Self.hour, .failed)
        #expect(clockCycles(cache).map(\.data.staleSince) == [success])
    }

    @Test func aFailingSourceOfAnEarlierVersionHasAMarkOnlyIfItsLastSuccessIsKnown() throws {
        for hasValidators in [false, true] {
            let cache = try cache()
            try fetch(cache)
            let success = cache.now
            try run(cache, for: 3 * Self.hour, .failed)
            downgrade(cache)
            let source = try #require(cache.stored.sources.keys.first)
            if !hasValidators { cache.stored.sources[source]?.validators = Validators() }
            let count = clockCycles(cache).count
            cache.restart()
            try run(cache, for: Self.hour, nil)
            #expect(clockCycles(cache).dropFirst(count).map(\.data.staleSince) == (hasValidators ? [] : [success]))
        }
    }

    @Test func aRecordWithoutAMarkHasNoMemberForIt() throws {
        let record = WidgetRecord(try #require(CacheFixture.plan().widgets[Self.widget]))
        let text = String(decoding: try WireJSON.encode(record), as: UTF8.self)
        #expect(!text.contains("staleAt") && !text.contains("lastSuccess"))
    }
}
