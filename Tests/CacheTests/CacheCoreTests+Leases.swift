// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

extension CacheCoreTests {
    // MARK: Leases

    @Test(arguments: [
        ("https://example.org/new", ["Accept", "X-Key"]), ("http://example.org/new", ["Accept"]),
        ("https://other.example/", ["Accept"]),
    ])
    func aSourceThatHasMovedToAnotherServerIsRequestedWithoutSecrets(location: String, names: [String]) throws {
        var plan = CacheFixture.plan()
        plan.widgets[CacheFixture.widget(0)]?.source = SourceAddress(
            url: "https://example.org/0",
            headers: [RequestHeader(name: "X-Key", value: "1"), RequestHeader(name: "Accept", value: "text/xml")]
        )
        let cache = CacheFixture.started(plan)
        let lease = try cache.take("r-1")
        #expect(lease.headers.map(\.name) == ["Accept", "X-Key"])
        cache.answer(lease, "a", location: location)
        cache.pass(3_600_000)
        let next = try cache.take("r-2")
        #expect(next.url == location)
        #expect(next.headers.map(\.name) == names)
    }

    @Test func everyRequesterIsAnsweredOnceOrForgottenOnce() throws {
        let cache = CacheFixture(CacheFixture.plan())
        var open: Set<RequesterID> = []
        func settle(_ step: CacheStep) {
            for effect in step.effects {
                switch effect {
                case .answerLease(let requester, _), .answerCycle(let requester, _), .answerError(let requester, _),
                    .forgetRequester(let requester):
                    #expect(open.remove(requester) != nil, "requester \(requester) was done with before")
                default: break
                }
            }
        }
        cache.feed(.start)
        let lease = try cache.take("r-1")
        func ask(_ input: (RequesterID) -> CacheInput) {
            let requester = cache.requester()
            open.insert(requester)
            settle(cache.feed(input(requester)))
        }
        // Nothing is due: each copy of the request takes the place of the one before.
        for _ in 0..<5 {
            ask { .lease($0, requestID: "r-2", deadlineMilliseconds: 4000, LeaseRequest(slots: 4)) }
            settle(cache.pass(100))
        }
        #expect(open.count == 1)
        settle(cache.pass(5000))
        #expect(open.isEmpty)
        // A command whose fetch does not end: those who stopped waiting are not kept for it.
        let refresh = CommandRequest(client: "ada", counter: 1, widget: CacheFixture.widget(0), command: .refresh)
        for _ in 0..<50 {
            ask { .command($0, deadlineMilliseconds: 1000, refresh) }
            settle(cache.pass(500))
        }
        #expect(open.count <= 2)
        settle(cache.answer(lease, "late"))
        settle(cache.pass(CacheCore.purgeInterval.wholeMilliseconds))
        #expect(open.isEmpty)
    }

    @Test func leasesAreFoundByWhatNamesThemAlsoAfterARestart() throws {
        let urls = (0..<4).map { "https://\($0).example.org/" }
        let cache = CacheFixture.started(CacheFixture.plan(urls))
        let leases = try #require(cache.lease("r-1")?.leases)
        #expect(leases.count == 4)
        #expect(Set(cache.lease("r-1")?.leases ?? []) == Set(leases))
        #expect(cache.stored.leases.count == 4)
        cache.answer(leases[0], "a")
        // A part is gone: the same request gets what is left of it.
        #expect(cache.lease("r-1")?.leases.map(\.id).sorted() == leases.dropFirst().map(\.id).sorted())
        cache.restart()
        #expect(cache.lease("r-1")?.leases.map(\.id).sorted() == leases.dropFirst().map(\.id).sorted())
        let report = cache.lease("r-2", slots: 0, unacknowledged: leases.map(\.id), givenBack: [leases[1].id])
        #expect(report?.open == leases[2...].map(\.id).sorted())
        #expect(cache.stored.leases.count == 2)
        cache.pass(cache.plan.limits.leaseDuration.wholeMilliseconds)
        #expect(cache.stored.leases.isEmpty)
        #expect(cache.core.leases.byID.isEmpty && cache.core.leases.byRequest.isEmpty)
    }

    @Test func aLateCopyOfAnAnsweredRequestTakesNoLeases() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        cache.pass(70_000)
        #expect(cache.lease("r1")?.leases.isEmpty == true)
        #expect(cache.lease("r2")?.leases.count == 1)
    }

    @Test func anOutcomeCountsOnceAndOnlyUnderTheCurrentLease() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        let cycles = cache.cycles.count
        #expect(CacheFixture.cycles(cache.answer(lease, "b")).isEmpty)
        #expect(cache.cycles.count == cycles)
    }

    @Test func anUnacknowledgedOutcomeThatDidNotArriveIsStillOpen() throws {
        let lease = try cache.take("r1")
        let report = try #require(cache.lease("r2", slots: 0, unacknowledged: [lease.id]))
        #expect(report.open == [lease.id])
        cache.answer(lease, "a")
        let acknowledged = try #require(cache.lease("r3", slots: 0, unacknowledged: [lease.id]))
        #expect(acknowledged.open.isEmpty)
    }

    @Test func aRequestWithNothingDueWaitsAndIsAnsweredWhenSomethingIs() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, "a")
        cache.pass(59_000)
        #expect(cache.lease("r2") == nil)
        let deadline = try #require(cache.core.nextDue)
        #expect(deadline <= cache.now.advanced(byMilliseconds: 1000))
        let answers = CacheFixture.leaseAnswers(cache.pass(1000))
        #expect(answers.map(\.leases.count) == [1])
    }

    @Test func aRequestWaitsForAtMostAQuarterOfAShortLease() {
        let cache = CacheFixture.started(CacheFixture.plan(limits: { $0.leaseDuration = .seconds(2) }))
        _ = cache.lease("r1")
        #expect(cache.lease("r2") == nil)
        #expect(cache.core.leases.parked.map(\.until) == [cache.now.advanced(byMilliseconds: 500)])
    }

    /// Its lease would count from the first sending, and be over when it is handed out.
    @Test func aRequestThatIsSentAgainWaitsNoLonger() {
        _ = cache.lease("r1")
        #expect(cache.lease("r2") == nil)
        let until = cache.core.leases.parked.map(\.until)
        cache.pass(1000)
        #expect(cache.lease("r2") == nil)
        #expect(cache.core.leases.parked.map(\.until) == until)
        #expect(CacheFixture.leaseAnswers(cache.pass(1000)).map(\.leases.count) == [0])
    }

    @Test func aNewerRequestOfTheSameFetcherEndsTheWaitOfTheOlder() {
        _ = cache.lease("f-1")
        #expect(cache.lease("f-2") == nil)
        #expect(cache.lease("g-1") == nil)
        let step = cache.feed(
            .lease(cache.requester(), requestID: "f-3", deadlineMilliseconds: 4000, LeaseRequest(slots: 0))
        )
        #expect(CacheFixture.leaseAnswers(step) == [LeaseAnswer(), LeaseAnswer()])
        #expect(cache.core.leases.parked.map(\.requestID) == ["g-1"])
    }

    @Test func aLeaseThatRanOutIsGivenToAnotherAfterAGrowingPause() throws {
        let lost = try cache.take("r1")
        cache.pass(30_000)
        #expect(cache.stored.leases.isEmpty)
        cache.pass(1000)
        let lease = try cache.take("r2")
        #expect(lease.id != lost.id)
        cache.pass(30_000)
        // A second one in a row is no accident of a fetcher.
        cache.pass(cache.plan.limits.repeatedQuarantine.wholeMilliseconds - 1000)
        #expect(cache.lease("r3") == nil)
        #expect(CacheFixture.leaseAnswers(cache.pass(1000)).first?.leases.count == 1)
    }

    @Test func aLeaseGivenBackIsDueAtOnce() throws {
        let lease = try cache.take("r1")
        _ = cache.lease("r2", slots: 0, givenBack: [lease.id])
        #expect(cache.lease("r3")?.leases.count == 1)
    }

    @Test func twoWaitingFetchersShareWhatBecomesDue() throws {
        let cache = CacheFixture(CacheFixture.plan((0..<6).map { "https://h\($0).example.org/" }))
        cache.core.schedule = FetchSchedule(hostConcurrency: 1, hostSpacing: .zero)
        let start = cache.core.handle(.start, now: cache.now)
        #expect(CacheFixture.cycles(start).count == 6)
        var step = CacheStep()
        for request in ["f-1", "g-1"] {
            step += cache.core.handle(
                .lease(cache.requester(), requestID: request, deadlineMilliseconds: 4000, LeaseRequest(slots: 64)),
                now: cache.now
            )
        }
        step += cache.core.handle(.tick, now: cache.now)
        #expect(CacheFixture.leaseAnswers(step).map(\.leases.count) == [3, 3])
    }

    @Test func aHostIsAskedForOneSourceAtATime() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/a", "https://example.org/b"]))
        let first = try #require(cache.lease("r1")?.leases)
        #expect(first.count == 1)
        #expect(cache.lease("r2") == nil)
        let answers = CacheFixture.leaseAnswers(cache.answer(first[0], "a"))
        #expect(answers.first?.leases.count == 1)
        #expect(answers.first?.leases.first?.source != first[0].source)
    }

    @Test func aHostThatSaid429IsLeftAloneByAllItsSources() throws {
        let cache = CacheFixture.started(CacheFixture.plan(["https://example.org/a", "https://example.org/b"]))
        let lease = try cache.take("r1")
        cache.answer(lease, .failed, failure: .rateLimited, retryAfter: 120)
        cache.restart()
        #expect(cache.lease("r2") == nil)
        cache.pass(119_000)
        #expect(cache.lease("r3") == nil)
        #expect(CacheFixture.leaseAnswers(cache.pass(1000)).flatMap(\.leases).count == 1)
    }

    @Test func aLateOutcomeStillLengthensTheBlockOfItsHost() throws {
        let lease = try cache.take("r1")
        cache.pass(31_000)
        cache.answer(lease, .failed, failure: .rateLimited, retryAfter: 600)
        cache.pass(300_000)
        #expect(cache.lease("r2") == nil)
    }

    @Test func openLeasesSurviveARestart() throws {
        let lease = try cache.take("r1")
        cache.restart()
        #expect(cache.lease("r9") == nil)
        #expect(cache.lease("r1")?.leases == [lease])
        #expect(CacheFixture.cycles(cache.answer(lease, "a")).count == 1)
    }

    @Test func whatHasMovedForGoodIsAskedAtItsNewPlaceUntilThatFails() throws {
        let lease = try cache.take("r1")
        let step = cache.answer(lease, "a", location: "https://example.org/new")
        let (old, new) = ("https://example.org/0", "https://example.org/new")
        let report = CacheEffect.reportLocation(configured: old, location: new)
        #expect(step.effects.contains(report))
        cache.restart()
        cache.pass(70_000)
        let next = try cache.take("r2")
        #expect(next.url == "https://example.org/new")
        #expect(next.validators.entityTag == "\"a\"")
        #expect(!cache.answer(next, "b", location: "https://example.org/new").effects.contains(report))
        cache.pass(70_000)
        cache.answer(try cache.take("r3"), .failed, failure: .permanent)
        cache.pass(2 * 3_600_000)
        #expect(cache.lease("r4")?.leases.first?.url == "https://example.org/0")
    }
}
