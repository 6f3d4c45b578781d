// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Fetcher
@testable import SourceFetching

@Suite struct FetcherCoreTests {
    private var limits = FetcherLimits()

    init() {
        limits.slots = 4
        limits.leasesAhead = 0
    }

    @Test func itAsksForAllItsSlotsAndHasOneRequestAtATime() {
        var core = FetcherCore(limits: limits)
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(0))).map(\.request.slots) == [4])
        #expect(core.handle(.tick, now: .milliseconds(1)).isEmpty)
        let actions = core.handle(.leases(1, LeaseAnswer(leases: [Self.lease("a")])), now: .milliseconds(2))
        #expect(actions.contains(.fetch(Self.lease("a"), by: .milliseconds(29_450))))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(2))).map(\.request.slots) == [3])
    }

    @Test mutating func leasesAheadOfTheSlotsWaitAndAreBegunAsSlotsGetFree() {
        limits.leasesAhead = 4
        limits.leaseBatch = 3
        var core = FetcherCore(limits: limits)
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(0))).map(\.request.slots) == [8])
        let leases = (0..<8).map { Self.lease("a\($0)") }
        let begun = core.handle(.leases(1, LeaseAnswer(leases: leases)), now: .milliseconds(10))
        #expect(begun.count { if case .fetch = $0 { true } else { false } } == 4)
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(11))).isEmpty, "there is room for none")
        let ended = core.handle(.fetched(Self.id("a0"), Self.outcome("a0")), now: .milliseconds(20))
        #expect(ended.contains(.fetch(leases[4], by: .milliseconds(29_450))))
        let report = Self.asks(core.handle(.tick, now: .milliseconds(21)))
        #expect(report.map(\.request.slots) == [1], "it asks for what is free")
    }

    /// Outcomes that are still on their way must not make a fetcher idle that could have the next leases.
    @Test func moreIsAskedForAtOnceWhileOutcomesAreOnTheirWay() {
        var core = withOutcome("a")
        _ = core.handle(.tick, now: .milliseconds(30))
        let answer = LeaseAnswer(leases: [Self.lease("b")], open: [Self.id("a")])
        _ = core.handle(.leases(2, answer), now: .milliseconds(40))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(41))).map(\.request.slots) == [3])
        _ = core.handle(.leases(3, LeaseAnswer(open: [Self.id("a")])), now: .milliseconds(50))
        let early = Self.asks(core.handle(.tick, now: .milliseconds(51)))
        #expect(early.isEmpty, "nothing is due: the outcome's report has time")
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(300))).count == 1)
    }

    @Test mutating func aFetcherWhoseOutcomesAreNotAcknowledgedAsksForNothingMore() {
        limits.unacknowledged = 1
        var core = withOutcome("a")
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(30))).map(\.request.slots) == [0])
    }

    @Test mutating func aLeaseThatWaitedTooLongIsGivenBack() {
        limits.slots = 1
        limits.leasesAhead = 1
        var core = started(with: [Self.lease("a"), Self.lease("b")])
        #expect(core.nextDue == .milliseconds(29_401))
        let actions = core.handle(.tick, now: .milliseconds(29_401))
        #expect(actions.contains(.count(.lateLeases)))
        #expect(Self.asks(actions).map(\.request.givenBack) == [[Self.id("b")]])
    }

    @Test func aLeaseThatCameTooLateIsGivenBack() {
        var core = started()
        _ = core.handle(.leases(1, LeaseAnswer(leases: [Self.lease("a")])), now: .milliseconds(29_500))
        let asks = Self.asks(core.handle(.tick, now: .milliseconds(29_500)))
        #expect(asks.map(\.request.givenBack) == [[Self.id("a")]])
    }

    @Test mutating func whatWaitsAtTheStopIsGivenBackAtOnce() {
        limits.slots = 1
        limits.leasesAhead = 1
        var core = started(with: [Self.lease("a"), Self.lease("b")])
        #expect(Self.asks(core.handle(.stop, now: .milliseconds(20))).map(\.request.givenBack) == [[Self.id("b")]])
    }

    @Test func aLeaseIsCountedFromWhenItsRequestWasFirstSent() {
        var core = started()
        // 30 seconds less 29,500 ms: too little is left.
        let late = core.handle(.leases(1, LeaseAnswer(leases: [Self.lease("a")])), now: .milliseconds(29_500))
        #expect(late == [.count(.lateLeases)])
        _ = core.handle(.tick, now: .milliseconds(29_500))
        let answer = FetcherInput.leases(2, LeaseAnswer(leases: [Self.lease("b")]))
        let inTime = core.handle(answer, now: .milliseconds(29_500 + 29_400))
        #expect(inTime.contains(.fetch(Self.lease("b"), by: .milliseconds(29_500 + 29_450))))
    }

    @Test func aFetchIsAbortedBeforeItsLeaseEnds() {
        var core = started(with: [Self.lease("a")])
        #expect(core.nextDue == .milliseconds(29_700))
        #expect(!core.handle(.tick, now: .milliseconds(29_699)).contains(.abort(Self.id("a"))))
        #expect(core.handle(.tick, now: .milliseconds(29_700)).contains(.abort(Self.id("a"))))
        #expect(core.handle(.fetched(Self.id("a"), Self.outcome("a")), now: .milliseconds(29_701)).isEmpty)
    }

    @Test func anOutcomeIsNamedInEachRequestUntilItIsAcknowledged() {
        var core = withOutcome("a")
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(30))).map(\.request.unacknowledged) == [[Self.id("a")]])
        _ = core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(40))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(40))).map(\.request.unacknowledged) == [[]])
    }

    @Test func anOutcomeThatDidNotArriveIsPublishedAgainUnchanged() {
        var core = withOutcome("a")
        _ = core.handle(.tick, now: .milliseconds(30))
        // It was published 10 ms ago and may be on its way.
        #expect(core.handle(.leases(2, LeaseAnswer(open: [Self.id("a")])), now: .milliseconds(40)).isEmpty)
        #expect(core.handle(.tick, now: .milliseconds(41)).isEmpty)
        _ = core.handle(.tick, now: .milliseconds(1040))
        let again = core.handle(.leases(3, LeaseAnswer(open: [Self.id("a")])), now: .milliseconds(1050))
        #expect(again.contains(.publish(Self.lease("a").source, Self.outcome("a"))))
    }

    // The cache may have died, and its successor may delay the answer to a request that was sent before the outcome.
    @Test func anOutcomeIsReportedAfterASecondAlthoughARequestIsInFlight() {
        var core = started(with: [Self.lease("a")])
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(11))).map(\.request.unacknowledged) == [[]])
        _ = core.handle(.fetched(Self.id("a"), Self.outcome("a")), now: .milliseconds(20))
        #expect(core.nextDue == .milliseconds(1020))
        #expect(core.handle(.tick, now: .milliseconds(1019)).isEmpty)
        let asks = Self.asks(core.handle(.tick, now: .milliseconds(1020)))
        #expect(asks.map(\.request.unacknowledged) == [[Self.id("a")]])
        #expect(asks.map(\.request.slots) == [0], "the request in flight has asked for them")
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(5000))).isEmpty, "the outcome has been reported")
        #expect(core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(5001)).isEmpty)
        let again = core.handle(.leases(3, LeaseAnswer(open: [Self.id("a")])), now: .milliseconds(5002))
        #expect(again.contains(.count(.republished)))
    }

    @Test func aReportThatFailsIsRepeatedAfterASecondAlthoughARequestIsInFlight() {
        var core = started(with: [Self.lease("a")])
        _ = core.handle(.tick, now: .milliseconds(11))
        _ = core.handle(.fetched(Self.id("a"), Self.outcome("a")), now: .milliseconds(20))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(1020))).map(\.number) == [3])
        _ = core.handle(.leaseRequestFailed(3), now: .milliseconds(1100))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(2099))).isEmpty)
        let again = Self.asks(core.handle(.tick, now: .milliseconds(2100)))
        #expect(again.map(\.request.unacknowledged) == [[Self.id("a")]])
        // Until the cache no longer waits for the outcome, it is published and reported again.
        let published = core.handle(.leases(4, LeaseAnswer(open: [Self.id("a")])), now: .milliseconds(2200))
        #expect(published.contains(.count(.republished)))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(3200))).map(\.number) == [5])
        _ = core.handle(.leases(5, LeaseAnswer()), now: .milliseconds(3300))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(9000))).isEmpty)
    }

    @Test func aFailedRequestIsFollowedByAnotherAfterAPause() {
        var core = started()
        _ = core.handle(.leaseRequestFailed(1), now: .milliseconds(100))
        #expect(core.handle(.tick, now: .milliseconds(100)).isEmpty)
        #expect(core.nextDue == .milliseconds(350))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(350))).map(\.number) == [2])
    }

    @Test func aFeedThatAPageAnnouncesIsAskedForWithinTheSameLease() {
        var core = started(with: [Self.lease("a")])
        let feed = "https://example.org/feed.xml"
        let announced = FetcherInput.needsFollowUp(Self.id("a"), .announced(feed))
        let fetch = FetcherEffect.fetch(Self.lease("a"), after: .announced(feed), by: .milliseconds(29_450))
        #expect(core.handle(announced, now: .milliseconds(500)) == [fetch])
        _ = core.handle(.tick, now: .milliseconds(29_700))
        #expect(core.handle(announced, now: .milliseconds(29_701)).isEmpty, "it was aborted")
    }

    @Test func anAnswerThatComesTwiceCountsOnce() {
        var core = started()
        let answer = FetcherInput.leases(1, LeaseAnswer(leases: [Self.lease("a")]))
        let actions = core.handle(answer, now: .milliseconds(10))
        #expect(actions.contains(.fetch(Self.lease("a"), by: .milliseconds(29_450))))
        #expect(core.handle(answer, now: .milliseconds(11)).isEmpty)
    }

    @Test func aHostThatHadEnoughIsAskedForNothingElseThatIsUnderWay() throws {
        var core = FetcherCore(limits: limits, parserVersion: 7)
        let first = Self.asks(core.handle(.tick, now: .milliseconds(0)))
        #expect(first.map(\.request.parserVersion) == [7])
        _ = core.handle(.leases(1, LeaseAnswer(leases: ["a", "b", "c"].map(Self.lease))), now: .milliseconds(10))
        _ = core.handle(.tick, now: .milliseconds(10))
        let failure = AttemptFailure(class: .rateLimited, message: "no", status: 429)
        var outcome = Self.outcome("a")
        (outcome.data.result, outcome.data.failure) = (.failed, failure)
        let actions = core.handle(.fetched(Self.id("a"), outcome), now: .milliseconds(20))
        #expect(actions.contains(.abort(Self.id("b"))))
        #expect(actions.contains(.abort(Self.id("c"))))
        // Given back before the cache knows why, they would be handed out again at once.
        _ = core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(30))
        let report = Self.asks(core.handle(.tick, now: .milliseconds(30)))
        #expect(report.map(\.request.givenBack) == [[]])
        #expect(report.map(\.request.unacknowledged) == [[Self.id("a")]])
        _ = core.handle(.leases(3, LeaseAnswer()), now: .milliseconds(40))
        let asks = Self.asks(core.handle(.tick, now: .milliseconds(40)))
        #expect(asks.map(\.request.givenBack) == [[Self.id("b"), Self.id("c")]])
    }

    // MARK: Stop

    @Test func anIdleFetcherFinishesWithTheAnswerToItsLastRequests() {
        var core = started()
        #expect(Self.asks(core.handle(.stop, now: .milliseconds(10))).map(\.request.slots) == [0])
        _ = core.handle(.leases(1, LeaseAnswer()), now: .milliseconds(11))
        #expect(!core.isFinished)
        _ = core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(12))
        #expect(core.isFinished)
    }

    @Test func leasesThatComeAfterTheStopAreGivenBack() {
        var core = started()
        _ = core.handle(.stop, now: .milliseconds(10))
        #expect(core.handle(.leases(1, LeaseAnswer(leases: [Self.lease("a")])), now: .milliseconds(11)).isEmpty)
        _ = core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(12))
        #expect(Self.asks(core.handle(.tick, now: .milliseconds(12))).map(\.request.givenBack) == [[Self.id("a")]])
        _ = core.handle(.leases(3, LeaseAnswer()), now: .milliseconds(13))
        #expect(core.isFinished)
    }

    @Test func whatIsUnderWayAtTheStopIsFinishedAndItsAcknowledgementAwaited() {
        var core = started(with: [Self.lease("a")])
        _ = core.handle(.stop, now: .milliseconds(10))
        _ = core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(11))
        #expect(!core.isFinished)
        let published = core.handle(.fetched(Self.id("a"), Self.outcome("a")), now: .milliseconds(500))
        #expect(published == [.publish(Self.lease("a").source, Self.outcome("a"))])
        let asks = Self.asks(core.handle(.tick, now: .milliseconds(500)))
        #expect(asks.map(\.request.unacknowledged) == [[Self.id("a")]])
        #expect(!core.isFinished)
        _ = core.handle(.leases(3, LeaseAnswer()), now: .milliseconds(510))
        #expect(core.isFinished)
    }

    @Test func whatIsStillUnderWayAfterThePatienceIsGivenBack() {
        var core = started(with: [Self.lease("a")])
        _ = core.handle(.stop, now: .milliseconds(10))
        _ = core.handle(.leases(2, LeaseAnswer()), now: .milliseconds(11))
        #expect(core.nextDue == .milliseconds(1510))
        let actions = core.handle(.tick, now: .milliseconds(1510))
        #expect(actions.contains(.abort(Self.id("a"))))
        #expect(Self.asks(actions).map(\.request.givenBack) == [[Self.id("a")]])
        _ = core.handle(.leases(3, LeaseAnswer()), now: .milliseconds(1520))
        #expect(core.isFinished)
    }

    // MARK: Samples

    /// Returns a core that has asked for leases, and has got these after 10 ms.
    private func started(with leases: [Lease]? = nil) -> FetcherCore {
        var core = FetcherCore(limits: limits)
        _ = core.handle(.tick, now: .milliseconds(0))
        if let leases { _ = core.handle(.leases(1, LeaseAnswer(leases: leases)), now: .milliseconds(10)) }
        return core
    }

    private func withOutcome(_ name: String) -> FetcherCore {
        var core = started(with: [Self.lease(name)])
        _ = core.handle(.fetched(Self.id(name), Self.outcome(name)), now: .milliseconds(30))
        return core
    }

    private static func asks(_ actions: [FetcherEffect]) -> [(number: LeaseRequestNumber, request: LeaseRequest)] {
        actions.compactMap { action in
            guard case .ask(let number, let request) = action else { return nil }
            return (number, request)
        }
    }

    private static func id(_ name: String) -> LeaseID { lease(name).id }
    private static func lease(_ name: String) -> Lease { .sample("https://example.org/\(name)", id: "n-\(name)") }

    private static func outcome(_ name: String) -> FetchOutcome {
        let fetched = Fetched(lease: id(name), result: .notModified, answeredAt: Instant(milliseconds: 0))
        return FetchOutcome(data: fetched, contents: [])
    }
}
