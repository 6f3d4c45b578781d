// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

/// Tests of what a consumer knows about the planned fetches.
@Suite struct AnnouncedFetchesTests {
    private let source: SourceID

    init() throws { source = try #require(SourceID(rawValue: "00000000000000aa")) }

    private func announced(
        _ fetch: PlannedFetch,
        hosts: [String: Instant] = [:],
        round: Int = 1_000,
        heard: Instant = at(0)
    ) -> AnnouncedFetches {
        var fetches = AnnouncedFetches()
        fetches.take(SourceSchedule(sources: [source: fetch], hosts: hosts, roundMilliseconds: round), at: heard)
        return fetches
    }

    @Test func aSourceThatIsFetchedWhenItIsShownIsLimitedByWhatIsAllowed() {
        var fetches = AnnouncedFetches()
        let resting = PlannedFetch(state: .gone, host: "example.org", whenShown: at(300))
        let planned = PlannedFetch(next: at(900), state: .scheduled, host: "example.org", whenShown: at(300))
        let gone = PlannedFetch(state: .gone, host: "example.org")
        #expect(resting.isResting && !planned.isResting && !gone.isResting)
        #expect(fetches.nextAttempt(resting, at: at(100)) == nil)
        #expect(fetches.nextAttempt(planned, at: at(100)) == at(900))
        for fetch in [resting, planned] {
            #expect(fetches.earliestAttempt(fetch, at: at(100)) == at(300))
            #expect(fetches.earliestAttempt(fetch, at: at(400)) == at(400))
        }
        #expect(fetches.earliestAttempt(gone, at: at(100)) == nil)
        fetches.take(
            SourceSchedule(sources: [:], hosts: ["example.org": at(700)], roundMilliseconds: 1_000),
            at: at(400)
        )
        #expect(fetches.earliestAttempt(resting, at: at(401)) == at(700))
    }

    private func next(_ fetches: AnnouncedFetches, at now: Instant) -> Instant? {
        fetches.fetch(of: source, at: now).flatMap { fetches.nextAttempt($0, at: now) }
    }

    @Test func theNextAttemptIsThePlannedOneOrTheEndOfThePauseOfItsHost() {
        let fetch = PlannedFetch(next: at(5_000), state: .scheduled, host: "a.example")
        #expect(next(announced(fetch), at: at(0)) == at(5_000))
        #expect(next(announced(fetch, hosts: ["a.example": at(9_000)]), at: at(0)) == at(9_000))
        #expect(next(announced(fetch, hosts: ["a.example": at(3_000)]), at: at(0)) == at(5_000))
        #expect(next(announced(fetch, hosts: ["b.example": at(9_000)]), at: at(0)) == at(5_000))
        let due = PlannedFetch(next: at(-5_000), state: .scheduled, host: "a.example")
        #expect(next(announced(due, hosts: ["a.example": at(9_000)]), at: at(0)) == at(9_000))
    }

    @Test(arguments: [
        PlannedFetch(next: at(0), state: .scheduled), PlannedFetch(next: at(-90_000), state: .scheduled),
        PlannedFetch(state: .scheduled), PlannedFetch(state: .running),
    ])
    func whatIsDueOrRunningIsShownAMinuteFromNow(fetch: PlannedFetch) {
        #expect(next(announced(fetch), at: at(0)) == at(60_000))
        #expect(next(announced(fetch), at: at(10_500)) == at(70_500))
    }

    @Test func aSourceThatIsGoneHasNoNextAttempt() {
        let fetches = announced(PlannedFetch(state: .gone))
        #expect(fetches.fetch(of: source, at: at(0)) != nil)
        #expect(next(fetches, at: at(0)) == nil)
    }

    @Test func anEntryIsUnknownTenSecondsAfterItsRound() {
        let fetches = announced(
            PlannedFetch(next: at(900_000), state: .scheduled, host: "a.example"),
            hosts: ["a.example": at(950_000)],
            round: 4_000
        )
        #expect(next(fetches, at: at(14_000)) == at(950_000))
        #expect(next(fetches, at: at(14_001)) == nil)
        #expect(fetches.blockedUntil("a.example", at: at(14_001)) == nil)
        #expect(next(fetches, at: at(-1)) == nil, "the clock was set back")
    }

    @Test func anOutcomeMakesThePlanBeforeItUnknownAndAChangeOfTheClockDoesNot() {
        let old = PlannedFetch(next: at(0), state: .scheduled, lastAttempt: at(-300_000))
        let fetches = announced(old, heard: at(0))
        let outcome = AnnouncedFetches.ReportedFetch(committed: at(100), heard: at(120))
        #expect(fetches.fetch(of: source, after: outcome, at: at(200)) == nil)
        #expect(announced(old, heard: at(150)).fetch(of: source, after: outcome, at: at(200)) == old)
        let new = PlannedFetch(next: at(300_000), state: .scheduled, lastAttempt: at(100))
        #expect(announced(new, heard: at(110)).fetch(of: source, after: outcome, at: at(200)) == new)
    }

    @Test func entriesThatAreNoLongerRepeatedAreRemoved() throws {
        var fetches = announced(PlannedFetch(state: .running))
        let other = try #require(SourceID(rawValue: "00000000000000bb"))
        let sources = [other: PlannedFetch(state: .gone)]
        fetches.take(SourceSchedule(sources: sources, hosts: [:], roundMilliseconds: 1_000), at: at(20_000))
        // At the time of the first message, only what was removed is missing.
        #expect(fetches.fetch(of: source, at: at(0)) == nil)
        #expect(fetches.fetch(of: other, at: at(20_000)) != nil)
    }
}
