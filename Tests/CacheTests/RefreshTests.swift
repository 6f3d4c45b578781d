// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

/// Tests of the next request after an outcome: its time, its address and its conditions.
@Suite struct RefreshTests {
    private static let day: Int64 = 24 * 3_600_000
    private let cache = CacheFixture(CacheFixture.plan())

    init() { cache.feed(.start) }

    /// Expects that nothing is due; ends the wait of the request.
    private func expectNothing(_ request: String, _ cache: CacheFixture, _ place: SourceLocation = #_sourceLocation) {
        #expect(cache.lease(request)?.leases.isEmpty ?? true, sourceLocation: place)
        let answers = CacheFixture.leaseAnswers(cache.pass(2000))
        #expect(answers.allSatisfy { $0.leases.isEmpty }, sourceLocation: place)
    }

    private func content(
        _ lease: Lease,
        _ text: String,
        rejected: [RejectedParsing]? = nil,
        freshness: Freshness = Freshness(),
        advice: PublisherAdvice? = nil,
        parserVersion: Int? = nil
    ) -> Fetched {
        Fetched(
            lease: lease.id,
            result: .content,
            contents: [ContentReference(parsing: "feed", digest: CacheFixture.digest(text))],
            rejected: rejected,
            validators: Validators(entityTag: "\"\(text)\""),
            bodyDigest: CacheFixture.digest(text),
            freshness: freshness,
            advice: advice,
            parserVersion: parserVersion,
            answeredAt: cache.now
        )
    }

    private func failure(_ lease: Lease, _ class: AttemptFailure.Class, _ status: Int, answeredBy: String? = nil)
        -> Fetched
    {
        Fetched(
            lease: lease.id,
            result: .failed,
            failure: AttemptFailure(class: `class`, message: "no", status: status),
            answeredBy: answeredBy,
            answeredAt: cache.now
        )
    }

    // MARK: Gone

    @Test func leasesThatHaveEndedLeaveTheQueueOfExpiriesBeforeTheirTime() throws {
        let cache = CacheFixture(CacheFixture.plan((0..<300).map { "https://\($0).example.org/" }))
        _ = cache.core.handle(.start, now: cache.now)
        var answered = 0
        while let leases = cache.lease("r\(answered)")?.leases, !leases.isEmpty {
            for lease in leases {
                answered += 1
                cache.answer(lease, "text \(answered)")
            }
        }
        #expect(answered == 300)
        #expect(cache.core.leases.expiries.count <= CacheCore.maximumUncleanedExpiries)
    }

    @Test func whatIsGoneIsAskedAgainOnlyWhenSomebodyAsksForIt() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.pass(70_000)
        let gone = try cache.take("r2")
        let step = cache.answer(gone, failure(gone, .permanent, 410))
        #expect(step.effects.contains(.reportGone(url: "https://example.org/0")))
        let cycle = try #require(cache.cycles.last?.data)
        #expect(cycle.outcome == .failed)
        #expect(cycle.failure?.nextAttempt == nil)
        #expect(cycle.content?.digest == CacheFixture.digest("a"))
        cache.pass(400 * Self.day)
        expectNothing("r3", cache)
        cache.restart()
        cache.pass(Self.day)
        expectNothing("r4", cache)
        // A restart in between forgets neither that it is gone nor that it is wanted.
        cache.command(.refresh, counter: 1)
        cache.restart()
        let again = try cache.take("r5")
        cache.answer(again, content(again, "b"))
        cache.pass(70_000)
        #expect(try cache.take("r6").url == "https://example.org/0")
    }

    @Test func aChangeOfAWidgetAsksWhatIsGoneOnceMore() throws {
        let gone = try cache.take("r1")
        cache.answer(gone, failure(gone, .permanent, 410))
        var plan = CacheFixture.plan()
        plan.widgets[CacheFixture.widget(0)]?.definition.rows = RowLimits(collapsed: 1, expanded: 2)
        cache.restart(plan)
        #expect(try cache.take("r2").url == "https://example.org/0")
    }

    @Test func aPlaceThatASourceHadMovedToMayBeGone() throws {
        cache.answer(try cache.take("r1"), "a", location: "https://example.net/new")
        cache.pass(70_000)
        let gone = try cache.take("r2")
        #expect(gone.url == "https://example.net/new")
        cache.answer(gone, failure(gone, .permanent, 410))
        cache.pass(2 * 3_600_000)
        #expect(try cache.take("r3").url == "https://example.org/0")
    }

    @Test func errorsOfHTTP2AreRememberedForADayAndOverRestarts() throws {
        let first = try cache.take("r1")
        #expect(first.avoidsHTTP2 == nil)
        var answered = content(first, "a")
        answered.failedHTTP2 = true
        cache.answer(first, answered)
        cache.pass(70_000)
        cache.restart()
        let second = try cache.take("r2")
        #expect(second.avoidsHTTP2 == true)
        cache.answer(second, content(second, "b"))
        cache.pass(24 * 3_600_000)
        #expect(try cache.take("r3").avoidsHTTP2 == nil)
    }

    // MARK: Politeness

    @Test func aSourceThatHasMovedCountsForTheHostThatItIsAt() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://a.example/feed", "https://b.example/feed"]))
        let both = try #require(cache.lease("r1")?.leases)
        #expect(both.count == 2)
        for lease in both { cache.answer(lease, lease.url, location: "https://shared.example/\(lease.source)") }
        cache.pass(70_000)
        let first = try #require(cache.lease("r2")?.leases)
        #expect(first.count == 1)
        cache.restart()
        expectNothing("r3", cache)
        cache.answer(first[0], .failed, failure: .rateLimited, retryAfter: 120)
        cache.pass(100_000)
        expectNothing("r4", cache)
        cache.pass(25_000)
        #expect(cache.lease("r5")?.leases.count == 1)
    }

    @Test func theHostThatARedirectLedToIsTheOneThatIsLeftAlone() throws {
        let cache = CacheFixture.started(
            CacheFixture.plan(["https://a.example/feed", "https://b.example/feed", "https://a.example/2"])
        )
        let leases = try #require(cache.lease("r1")?.leases)
        let redirected = try #require(leases.first { $0.url == "https://a.example/feed" })
        cache.answer(redirected, failure(redirected, .rateLimited, 429, answeredBy: "b.example"))
        #expect(cache.core.schedule.isPaused("b.example", at: cache.now))
        #expect(!cache.core.schedule.isPaused("a.example", at: cache.now))
    }

    @Test func aHostIsLeftAloneEvenIfTheLeaseHasEndedAndNoWidgetUsesTheSourceAnyMore() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://a.example/feed"]))
        let lease = try cache.take("r1")
        cache.pass(3_600_000)
        cache.restart(CacheFixture.plan(["https://b.example/feed"]))
        #expect(cache.stored.leases[lease.source] == nil)
        #expect(cache.stored.sources[lease.source] == nil)
        cache.answer(lease, failure(lease, .rateLimited, 429, answeredBy: "b.example"))
        #expect(cache.core.schedule.isPaused("b.example", at: cache.now))
    }

    // MARK: Conditions

    @Test func anotherParserGetsAFullAnswerOnce() throws {
        let first = try cache.take("r1", parserVersion: 1)
        cache.answer(first, content(first, "a", parserVersion: 1))
        cache.pass(70_000)
        let same = try cache.take("r2", parserVersion: 1)
        #expect(same.validators.entityTag == "\"a\"")
        #expect(same.bodyDigest != nil)
        cache.answer(same, .notModified)
        cache.pass(70_000)
        let newer = try cache.take("r3", parserVersion: 2)
        #expect(newer.validators == Validators())
        #expect(newer.bodyDigest == nil)
        cache.answer(newer, content(newer, "a", parserVersion: 2))
        cache.restart()
        cache.pass(70_000)
        #expect(try cache.take("r4", parserVersion: 2).validators.entityTag == "\"a\"")
    }

    @Test func aServerThatAlwaysSaysNotModifiedIsAskedInFullAfterEightDays() throws {
        cache.answer(try cache.take("r0"), "a")
        var days: Int64 = 0
        while days < 8 {
            cache.pass(Self.day)
            days += 1
            let lease = try cache.take("d\(days)")
            #expect((lease.validators.entityTag == nil) == (days == 8), "day \(days)")
            // The digest still saves the parsing.
            #expect(lease.bodyDigest == CacheFixture.digest("a"))
            guard days < 8 else { continue }
            cache.answer(lease, .notModified)
        }
    }

    // MARK: What a feed says

    @Test func theAdviceOfADocumentHoldsUntilAnotherOneComes() throws {
        let first = try cache.take("r1")
        cache.answer(first, content(first, "a", advice: PublisherAdvice(timeToLiveSeconds: 7200)))
        cache.restart()
        cache.pass(3_600_000)
        expectNothing("r2", cache)
        cache.pass(3_600_000)
        let second = try cache.take("r3")
        cache.answer(second, .notModified)
        cache.pass(7_100_000)
        expectNothing("r4", cache)
        cache.pass(100_000)
        let third = try cache.take("r5")
        cache.answer(third, content(third, "b"))
        cache.pass(60_000)
        #expect(try cache.take("r6").validators.entityTag == "\"b\"")
    }

    // MARK: Several parsings

    @Test func aBodyThatIsOfNoUseForOneWidgetStillServesTheOthers() throws {
        var plan = CacheFixture.plan(["https://example.org/0", "https://example.org/0"])
        plan.widgets[CacheFixture.widget(1)]?.definition.kind = .quote
        plan.widgets[CacheFixture.widget(1)]?.parsing = Parsing(kind: .quote)
        let cache = CacheFixture.started(plan)
        let lease = try cache.take("r1")
        #expect(lease.parsings.map(\.key).sorted() == ["feed", "quote"])
        let rejected = [RejectedParsing(parsing: "quote", message: "There are no quotes.")]
        cache.answer(lease, content(lease, "a", rejected: rejected), contents: ["a"])
        let cycles = cache.cycles.suffix(2)
        #expect(cycles.map(\.data.outcome) == [.changed, .failed])
        #expect(cycles.last?.data.failure?.class == .malformed)
        #expect(cycles.last?.data.failure?.message == "There are no quotes.")
        // It is no reason to ask sooner, or without conditions.
        expectNothing("r2", cache)
        cache.restart()
        cache.pass(70_000)
        let next = try cache.take("r3")
        #expect(next.validators.entityTag == "\"a\"")
        cache.answer(next, .notModified)
        #expect(cache.cycles.suffix(2).map(\.data.outcome) == [.notModified, .failed])
    }

    // MARK: Files

    private static func filePlan() -> CachePlan {
        var plan = CacheFixture.plan(["x", "y"])
        for (index, name) in ["a.json", "b.json"].enumerated() {
            plan.widgets[CacheFixture.widget(index)]?.source = SourceAddress(file: name, below: "/srv/files")
        }
        return plan
    }

    @Test func filesAreReadAtOnceWhenTheyChangeAndNobodyIsPoliteToThem() throws {
        let cache = CacheFixture.started(Self.filePlan())
        // Both at the same time: no host is asked.
        let leases = try #require(cache.lease("f-1")?.leases)
        #expect(leases.map(\.url).sorted() == ["file:a.json", "file:b.json"])
        let first = try #require(leases.first { $0.url == "file:a.json" })
        // It changes while it is read: what is read may be half of it.
        cache.feed(.filesChanged(["a.json"]))
        cache.answer(first, "half")
        let again = try cache.take("f-2")
        #expect(again.url == "file:a.json")
        cache.answer(again, "whole")
        cache.feed(.filesChanged(["none.json"]))
        #expect(cache.lease("f-3") == nil)
        let changed = CacheFixture.leaseAnswers(cache.feed(.filesChanged(["a.json"])))
        #expect(changed.first?.leases.map(\.url) == ["file:a.json"])
    }

    @Test func aFileThatFailedIsReadAsSoonAsItChanges() throws {
        let cache = CacheFixture.started(Self.filePlan())
        for lease in try #require(cache.lease("f-1")?.leases) { cache.answer(lease, .failed, failure: .permanent) }
        #expect(cache.lease("f-2") == nil)
        let changed = CacheFixture.leaseAnswers(cache.feed(.filesChanged(nil)))
        #expect(changed.first?.leases.count == 2)
    }

    @Test func aFileThatChangesBeforeItsLeaseExpiresIsReadAtOnce() throws {
        let cache = CacheFixture.started(Self.filePlan())
        #expect(cache.lease("f-1")?.leases.count == 2)
        cache.feed(.filesChanged(["a.json"]))
        cache.pass(cache.plan.limits.leaseDuration.wholeMilliseconds)
        let again = try cache.take("f-2")
        #expect(again.url == "file:a.json")
        cache.answer(again, "whole")
        #expect(cache.stored.sources[again.source].map { $0.nextAttempt > cache.now } == true)
    }

    // MARK: Quarantine

    @Test func aSourceWhoseLeasesRunOutIsAskedLessAndLessAndNamedUntilItHasAnOutcome() throws {
        var reports: [[QuarantinedSource]] = []
        func note(_ step: CacheStep) {
            for case .reportQuarantine(let sources) in step.effects { reports.append(sources) }
        }
        let limits = cache.plan.limits
        var pauses: [Int64] = []
        for number in 0..<4 {
            _ = try cache.take("q\(number)")
            note(cache.pass(limits.leaseDuration.wholeMilliseconds))
            var pause: Int64 = 0
            while cache.lease("p\(number)-\(pause)", slots: 0) != nil,
                let due = cache.stored.sources.values.map(\.nextAttempt).min(), due > cache.now
            {
                pause += due.milliseconds(since: cache.now)
                note(cache.pass(due.milliseconds(since: cache.now)))
            }
            pauses.append(pause)
        }
        // A fetcher that died costs a second; a document that costs fetchers is left alone for minutes.
        #expect(pauses == [1000, 60_000, 120_000, 240_000])
        #expect(reports.map { $0.map(\.leases) } == [[2], [3], [4]])
        #expect(reports.last?.first?.widget == CacheFixture.widget(0))
        let words = CacheAdapter.words(try #require(reports.last))
        #expect(words == "No outcome from fetchers: w0 at example.org (4 leases in a row)")
        let restarted = cache.restart()
        #expect(restarted.effects.contains(.reportQuarantine(try #require(reports.last))))
        let last = try cache.take("last")
        note(cache.answer(last, content(last, "good")))
        #expect(reports.last == [])
    }

    @Test func aSourceInQuarantineThatIsRemovedIsNoLongerNamed() throws {
        for number in 0..<2 {
            _ = try cache.take("q\(number)")
            cache.pass(cache.plan.limits.leaseDuration.wholeMilliseconds)
            cache.pass(1_000)
        }
        #expect(cache.stored.sources.values.map(\.abandonedLeases) == [2])
        let step = cache.feed(.configure(CacheFixture.plan([])))
        #expect(step.effects.contains(.reportQuarantine([])))
    }

    // MARK: Silence

    @Test func aSourceThatFallsSilentIsReportedAndTakenBackWhenItSpeaks() throws {
        for number in 0..<6 {
            let lease = try cache.take("r\(number)")
            cache.answer(lease, content(lease, "\(number)"))
            cache.pass(6 * 3_600_000)
        }
        var reports: [[SilentSource]] = []
        func note(_ step: CacheStep) {
            for case .reportSilence(let sources) in step.effects { reports.append(sources) }
        }
        for hour in 0..<80 {
            note(cache.pass(3_600_000))
            note(cache.answer(try cache.take("s\(hour)"), .notModified))
            // Ten times six hours after the last change, which was six hours ago.
            #expect(reports.isEmpty == (hour < 53), "hour \(hour)")
        }
        #expect(reports.count == 1)
        let silent = try #require(reports.first?.first)
        #expect(silent.widget == CacheFixture.widget(0))
        #expect(silent.usualInterval == .seconds(6 * 3_600))
        #expect(CacheAdapter.words([silent]).contains("w0 (usually every 6 hours"))
        cache.pass(3_600_000)
        let lease = try cache.take("t")
        cache.answer(lease, content(lease, "new"))
        note(cache.pass(3_600_000))
        #expect(reports.last == [])
    }

    @Test func aSourceThatIsSeldomIsNotSilentSoon() throws {
        var cadence = Cadence(firstChange: cache.now)
        #expect(cadence.silentFrom == nil)
        for week in 1...6 { cadence.change(at: cache.now.advanced(byMilliseconds: Int64(week) * 7 * Self.day)) }
        #expect(cadence.usualInterval == .milliseconds(7 * Self.day))
        #expect(cadence.silentFrom == cadence.lastChange.advanced(byMilliseconds: 70 * Self.day))
    }
}
