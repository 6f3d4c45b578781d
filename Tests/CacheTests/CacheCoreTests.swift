// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

@Suite struct CacheCoreTests {
    private let cache = CacheFixture(CacheFixture.plan())

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
            let lease = try #require(cache.lease("r-\(text)-\(cache.cycles.count)")?.leases.first)
            cache.answer(lease, text)
        }
        #expect(cache.cycles.count == 5)
        for (before, after) in zip(cache.cycles, cache.cycles.dropFirst()) {
            #expect(after.range?.first == before.range?.sequence.next)
            #expect(after.range?.isSingle == true)
        }
        #expect(cache.cycles.map(\.data.outcome) == [.fresh, .changed, .changed, .sameContent, .changed])
    }

    @Test func aCycleWithoutNewContentNamesTheCycleThatBroughtIt() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        let brought = try #require(cache.cycles.last?.range?.sequence)
        cache.pass(70_000)
        let next = try #require(cache.lease("r2")?.leases.first)
        #expect(next.validators.entityTag == "\"a\"")
        cache.answer(next, .notModified)
        #expect(cache.cycles.last?.data.outcome == .notModified)
        #expect(cache.cycles.last?.data.contentSequence == brought)
    }

    @Test func aFailureKeepsTheContentAndSaysWhenTheNextAttemptIs() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        cache.pass(70_000)
        let next = try #require(cache.lease("r2")?.leases.first)
        cache.answer(next, .failed, failure: .transient)
        let failed = try #require(cache.cycles.last?.data)
        #expect(failed.outcome == .failed)
        #expect(failed.content?.digest == CacheFixture.digest("a"))
        let nextAttempt = try #require(failed.failure?.nextAttempt)
        // The first pause is the minimum interval, with up to a tenth of jitter.
        #expect((10_000...11_000).contains(nextAttempt.milliseconds(since: cache.now)))
    }

    @Test func oneOutcomeGivesEachWidgetOfTheSourceACycle() throws {
        let cache = CacheFixture(CacheFixture.plan(["https://example.org/same", "https://example.org/same"]))
        cache.feed(.start)
        let leases = try #require(cache.lease("r1")?.leases)
        #expect(leases.count == 1)
        let cycles = CacheFixture.cycles(cache.answer(leases[0], "a"))
        #expect(cycles.compactMap(\.widget) == [CacheFixture.widget(0), CacheFixture.widget(1)])
    }

    // MARK: Leases

    @Test func theSameRequestGetsTheSameLeases() throws {
        let first = try #require(cache.lease("r1"))
        let again = try #require(cache.lease("r1"))
        #expect(first.leases == again.leases)
        #expect(cache.stored.leases.count == 1)
    }

    @Test func everyRequesterIsAnsweredOnceOrForgottenOnce() throws {
        let cache = CacheFixture(CacheFixture.plan())
        var open: Set<RequesterID> = []
        func settle(_ actions: [CacheAction]) {
            for action in actions {
                switch action {
                case .effect(.answerLease(let requester, _)), .effect(.answerCycle(let requester, _)),
                    .effect(.answerError(let requester, _)),
                    .effect(.forgetRequester(let requester)):
                    #expect(open.remove(requester) != nil, "requester \(requester) was done with before")
                default: break
                }
            }
        }
        cache.feed(.start)
        let lease = try #require(cache.lease("r-1")?.leases.first)
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
        settle(cache.pass(CacheCore.commandPurgeInterval.wholeMilliseconds))
        #expect(open.isEmpty)
    }

    @Test func leasesAreFoundByWhatNamesThemAlsoAfterARestart() throws {
        let urls = (0..<4).map { "https://\($0).example.org/" }
        let cache = CacheFixture(CacheFixture.plan(urls))
        cache.feed(.start)
        let leases = try #require(cache.lease("r-1")?.leases)
        #expect(leases.count == 4)
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
        #expect(cache.core.leasesByID.isEmpty && cache.core.leasesByRequest.isEmpty)
    }

    @Test func aLateCopyOfAnAnsweredRequestTakesNoLeases() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        cache.pass(70_000)
        #expect(cache.lease("r1")?.leases.isEmpty == true)
        #expect(cache.lease("r2")?.leases.count == 1)
    }

    @Test func anOutcomeCountsOnceAndOnlyUnderTheCurrentLease() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        let cycles = cache.cycles.count
        #expect(CacheFixture.cycles(cache.answer(lease, "b")).isEmpty)
        #expect(cache.cycles.count == cycles)
    }

    @Test func anUnacknowledgedOutcomeThatDidNotArriveIsStillOpen() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        let report = try #require(cache.lease("r2", slots: 0, unacknowledged: [lease.id]))
        #expect(report.open == [lease.id])
        cache.answer(lease, "a")
        let acknowledged = try #require(cache.lease("r3", slots: 0, unacknowledged: [lease.id]))
        #expect(acknowledged.open.isEmpty)
    }

    @Test func aRequestWithNothingDueWaitsAndIsAnsweredWhenSomethingIs() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        cache.pass(59_000)
        #expect(cache.lease("r2") == nil)
        let deadline = try #require(cache.core.nextDue)
        #expect(deadline <= cache.now.advanced(byMilliseconds: 1000))
        let answers = CacheFixture.leaseAnswers(cache.pass(1000))
        #expect(answers.map(\.leases.count) == [1])
    }

    @Test func aWaitingRequestIsAnsweredEmptyInTime() {
        _ = cache.lease("r1")
        #expect(cache.lease("r2") == nil)
        #expect(CacheFixture.leaseAnswers(cache.pass(2000)).map(\.leases.count) == [0])
    }

    @Test func aRequestWaitsForAtMostAQuarterOfAShortLease() {
        let cache = CacheFixture(CacheFixture.plan(limits: { $0.leaseDuration = .seconds(2) }))
        cache.feed(.start)
        _ = cache.lease("r1")
        #expect(cache.lease("r2") == nil)
        #expect(cache.core.parkedRequests.map(\.until) == [cache.now.advanced(byMilliseconds: 500)])
    }

    /// Its lease would count from the first sending, and be over when it is handed out.
    @Test func aRequestThatIsSentAgainWaitsNoLonger() {
        _ = cache.lease("r1")
        #expect(cache.lease("r2") == nil)
        let until = cache.core.parkedRequests.map(\.until)
        cache.pass(1000)
        #expect(cache.lease("r2") == nil)
        #expect(cache.core.parkedRequests.map(\.until) == until)
        #expect(CacheFixture.leaseAnswers(cache.pass(1000)).map(\.leases.count) == [0])
    }

    @Test func aNewerRequestOfTheSameFetcherEndsTheWaitOfTheOlder() {
        _ = cache.lease("f-1")
        #expect(cache.lease("f-2") == nil)
        #expect(cache.lease("g-1") == nil)
        let actions = cache.feed(
            .lease(cache.requester(), requestID: "f-3", deadlineMilliseconds: 4000, LeaseRequest(slots: 0))
        )
        #expect(CacheFixture.leaseAnswers(actions) == [LeaseAnswer(), LeaseAnswer()])
        #expect(cache.core.parkedRequests.map(\.requestID) == ["g-1"])
    }

    @Test func aLeaseThatRanOutIsGivenToAnotherAfterAGrowingPause() throws {
        let lost = try #require(cache.lease("r1")?.leases.first)
        cache.pass(30_000)
        #expect(cache.stored.leases.isEmpty)
        cache.pass(1000)
        let lease = try #require(cache.lease("r2")?.leases.first)
        #expect(lease.id != lost.id)
        cache.pass(30_000)
        // A second one in a row is no accident of a fetcher.
        cache.pass(cache.plan.limits.repeatedQuarantine.wholeMilliseconds - 1000)
        #expect(cache.lease("r3") == nil)
        #expect(CacheFixture.leaseAnswers(cache.pass(1000)).first?.leases.count == 1)
    }

    @Test func aLeaseGivenBackIsDueAtOnce() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        _ = cache.lease("r2", slots: 0, givenBack: [lease.id])
        #expect(cache.lease("r3")?.leases.count == 1)
    }

    @Test func twoWaitingFetchersShareWhatBecomesDue() throws {
        let cache = CacheFixture(
            CacheFixture.plan((0..<6).map { "https://h\($0).example.org/" })
        )
        cache.core.schedule = FetchSchedule(hostConcurrency: 1, hostSpacing: .zero)
        let start = cache.core.handle(.start, now: cache.now)
        #expect(CacheFixture.cycles(start).count == 6)
        var actions: [CacheAction] = []
        for request in ["f-1", "g-1"] {
            actions += cache.core.handle(
                .lease(cache.requester(), requestID: request, deadlineMilliseconds: 4000, LeaseRequest(slots: 64)),
                now: cache.now
            )
        }
        actions += cache.core.handle(.tick, now: cache.now)
        #expect(CacheFixture.leaseAnswers(actions).map(\.leases.count) == [3, 3])
    }

    @Test func aHostIsAskedForOneSourceAtATime() throws {
        let cache = CacheFixture(CacheFixture.plan(["https://example.org/a", "https://example.org/b"]))
        cache.feed(.start)
        let first = try #require(cache.lease("r1")?.leases)
        #expect(first.count == 1)
        #expect(cache.lease("r2") == nil)
        let answers = CacheFixture.leaseAnswers(cache.answer(first[0], "a"))
        #expect(answers.first?.leases.count == 1)
        #expect(answers.first?.leases.first?.source != first[0].source)
    }

    @Test func aHostThatSaid429IsLeftAloneByAllItsSources() throws {
        let cache = CacheFixture(CacheFixture.plan(["https://example.org/a", "https://example.org/b"]))
        cache.feed(.start)
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, .failed, failure: .rateLimited, retryAfter: 120)
        cache.restart()
        #expect(cache.lease("r2") == nil)
        cache.pass(119_000)
        #expect(cache.lease("r3") == nil)
        #expect(CacheFixture.leaseAnswers(cache.pass(1000)).flatMap(\.leases).count == 1)
    }

    @Test func aLateOutcomeStillLengthensTheBlockOfItsHost() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.pass(31_000)
        cache.answer(lease, .failed, failure: .rateLimited, retryAfter: 600)
        cache.pass(300_000)
        #expect(cache.lease("r2") == nil)
    }

    @Test func openLeasesSurviveARestart() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.restart()
        #expect(cache.lease("r9") == nil)
        #expect(cache.lease("r1")?.leases == [lease])
        #expect(CacheFixture.cycles(cache.answer(lease, "a")).count == 1)
    }

    @Test func whatHasMovedForGoodIsAskedAtItsNewPlaceUntilThatIsGone() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        let actions = cache.answer(lease, "a", location: "https://example.org/new")
        let report = CacheAction.reportLocation(
            configured: "https://example.org/0",
            location: "https://example.org/new"
        )
        #expect(actions.contains(report))
        cache.restart()
        cache.pass(70_000)
        let next = try #require(cache.lease("r2")?.leases.first)
        #expect(next.url == "https://example.org/new")
        #expect(next.validators.entityTag == "\"a\"")
        #expect(!cache.answer(next, "b", location: "https://example.org/new").contains(report))
        cache.pass(70_000)
        let gone = try #require(cache.lease("r3")?.leases.first)
        cache.answer(gone, .failed, failure: .permanent)
        cache.pass(2 * 3_600_000)
        #expect(cache.lease("r4")?.leases.first?.url == "https://example.org/0")
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
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        cache.pass(9000)
        let actions = cache.command(.performUpdate, counter: 1)
        #expect(CacheFixture.cycles(actions).map(\.data.outcome) == [.fresh])
        #expect(CacheFixture.cycleAnswers(actions).count == 1)
    }

    @Test func performUpdateLaterIsAFetchWhoseCycleIsTheAnswer() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        cache.pass(11_000)
        #expect(CacheFixture.cycleAnswers(cache.command(.performUpdate, counter: 1)).isEmpty)
        let next = try #require(cache.lease("r2")?.leases.first)
        let actions = cache.answer(next, "b")
        #expect(CacheFixture.cycleAnswers(actions) == CacheFixture.cycles(actions).compactMap(\.range?.sequence))
        let again = CacheFixture.cycleAnswers(cache.command(.performUpdate, counter: 1))
        #expect(again == CacheFixture.cycleAnswers(actions))
    }

    @Test func aCommandThatWaitsForItsFetchSurvivesARestart() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        cache.pass(11_000)
        cache.command(.performUpdate, counter: 1)
        cache.restart()
        cache.command(.performUpdate, counter: 1)
        let next = try #require(cache.lease("r2")?.leases.first)
        #expect(CacheFixture.cycleAnswers(cache.answer(next, "b")).count == 1)
    }

    @Test(arguments: [(14_000, true), (16_000, false)])
    func refreshFetchesButNeverWithinFifteenSecondsOfTheLastAttempt(_ pause: Int64, _ isFresh: Bool) throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
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
        let actions = cache.push(["a", "b"], counter: 1)
        let cycle = try #require(CacheFixture.cycles(actions).first)
        #expect(cycle.data.cause == .push)
        #expect(cycle.data.outcome == .changed)
        #expect(cycle.data.contentSequence == cycle.range?.sequence)
        #expect(CacheFixture.cycleAnswers(actions) == [cycle.range?.sequence])
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
        let actions = cache.push(titles, counter: 1)
        #expect(CacheFixture.errors(actions) == [.malformed])
        #expect(CacheFixture.cycles(actions).isEmpty)
    }

    @Test func aWidgetOfPushesIsNeverFetched() throws {
        var plan = CacheFixture.plan()
        plan.widgets[CacheFixture.widget(0)]?.source = SourceRequest(pushedTo: CacheFixture.widget(0))
        let cache = CacheFixture(plan)
        cache.feed(.start)
        #expect(cache.lease("r1") == nil)
        cache.push(["a"], counter: 1)
        let cycles = CacheFixture.cycles(cache.command(.refresh, counter: 1))
        #expect(cycles.map(\.data.outcome) == [.fresh])
    }

    // MARK: Configuration and restarts

    @Test func aRestartWithoutChangesMakesNoCycleAndPublishesTheLastOnesAgain() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        let head = try #require(cache.cycles.last?.range?.sequence)
        let actions = cache.restart()
        #expect(CacheFixture.cycles(actions).isEmpty)
        #expect(actions.contains(.effect(.republish(CacheFixture.widget(0), head, content: CacheFixture.digest("a")))))
    }

    @Test func lastEventsArePublishedInBatchesAndBeforeTheNextCyclesOfTheirWidgets() throws {
        var plan = CacheFixture.plan((0..<5).map { "https://host\($0).example.org/" })
        plan.limits.republishedAtOnce = 1
        let cache = CacheFixture(plan)
        cache.feed(.start)
        for number in 0..<5 { cache.command(.setExpanded(true), counter: 1, on: CacheFixture.widget(number)) }
        func published(_ actions: [CacheAction]) -> [WidgetID] {
            actions.compactMap { action in
                switch action {
                case .effect(.republish(let widget, _, _)): widget
                case .effect(.publish(let cycle, _)): cycle.widget
                default: nil
                }
            }
        }
        let heads = { (actions: [CacheAction]) in
            actions.contains { if case .effect(.publishHeads) = $0 { true } else { false } }
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
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        var plan = cache.plan
        plan.widgets[CacheFixture.widget(0)]?.displays.append(CacheFixture.display("panel"))
        let cycle = try #require(CacheFixture.cycles(cache.restart(plan)).first)
        #expect(cycle.data.cause == .configuration)
        #expect(cycle.data.displays.count == 2)
        #expect(cycle.data.content?.digest == CacheFixture.digest("a"))
    }

    @Test func aWidgetThatMovesToAKnownSourceShowsWhatItHolds() throws {
        let (one, two) = ("https://one.example.org/", "https://two.example.org/")
        let cache = CacheFixture(CacheFixture.plan([one, two]))
        cache.feed(.start)
        for lease in try #require(cache.lease("r-1")?.leases) { cache.answer(lease, lease.url) }
        let cycles = CacheFixture.cycles(cache.restart(CacheFixture.plan([one, one])))
        #expect(cycles.map(\.widget) == [CacheFixture.widget(1)])
        #expect(cycles.first?.data.content?.digest == CacheFixture.digest(one))
        #expect(cycles.first?.data.contentSequence == cycles.first?.range?.sequence)
    }

    @Test func aParsingThatASourceHasNotGivenNeedNotWaitForItsInterval() throws {
        cache.answer(try #require(cache.lease("r-1")?.leases.first), "a")
        let source = try #require(cache.stored.sources.first?.key)
        // As an earlier version of the program, or another configuration, left it.
        let held = cache.stored.sources[source]?.contents.removeValue(forKey: "feed")
        cache.stored.sources[source]?.contents["feed;other=1"] = held
        cache.restart()
        let lease = try #require(cache.lease("r-2")?.leases.first)
        #expect(lease.validators == Validators())
        cache.answer(lease, .failed, failure: .transient)
        // Where it went wrong, a restart does not ask sooner.
        cache.restart()
        #expect(cache.lease("r-3") == nil)
    }

    @Test func aChangeOfTheSourceDropsTheContent() throws {
        let lease = try #require(cache.lease("r1")?.leases.first)
        cache.answer(lease, "a")
        let cycle = try #require(
            CacheFixture.cycles(cache.restart(CacheFixture.plan(["https://example.org/other"]))).first
        )
        #expect(cycle.data.cause == .configuration)
        #expect(cycle.data.content == nil)
        let next = try #require(cache.lease("r2")?.leases.first)
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
