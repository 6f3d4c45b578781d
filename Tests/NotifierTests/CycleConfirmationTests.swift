// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import ServiceEngine
import Testing
import WidgetSchema

@testable import Notifier

/// The requests to the cache: when the notifier asks whether the cache made the cycles that it has handled.
@Suite struct CycleConfirmationTests {
    private let blog: WidgetID

    init() throws { blog = try widget() }

    /// Returns a core that has handled cycle 9, which was committed at `committed`.
    private func core(committed: Int64? = nil) throws -> NotifierCore {
        var core = try NotifierCore(nonce: "n")
        _ = core.handle(.laidOut(try laidOut(9, committed), of: blog), now: at(0))
        _ = core.endBatch(now: at(0))
        return core
    }

    private func laidOut(_ sequence: UInt64, _ committed: Int64? = nil) throws -> Event<LaidOut> {
        var laidOut = try LaidOut.showing(["compact": "a"])
        laidOut.times.committed = committed.map { at($0) }
        return laidOut.event(try range(1, sequence), of: blog)
    }

    private func request(_ core: inout NotifierCore, _ milliseconds: Int64) -> CycleConfirmation.Request? {
        for case .confirm(let request) in core.endBatch(now: at(milliseconds)) { return request }
        return nil
    }

    private func denied(_ core: inout NotifierCore, _ milliseconds: Int64) -> Int? {
        for case .gauges(let gauges) in core.endBatch(now: at(milliseconds)) { return gauges.widgetsDenied }
        return nil
    }

    @Test func aHeadBelowThePositionAsksTheCacheUnlessItMayBeOld() throws {
        var core = try core(committed: -5)
        _ = core.handle(.cacheHeads([blog: 4]), now: at(999))
        #expect(request(&core, 999) == nil)
        _ = core.handle(.cacheHeads([blog: 4]), now: at(1000))
        let asked = try #require(request(&core, 1000))
        #expect(asked.widgets == [blog: ConfirmRequest.Cycle(sequence: 9, committed: at(-5))])
    }

    @Test func aNumberAboveThePositionThatNoHeadReachesAsksTheCacheUntilACycleIsAboveIt() throws {
        var core = try core()
        let wrong = try LaidOut.showing(["compact": "b"]).event(try range(80, 80), of: blog)
        _ = core.handle(.laidOut(wrong, of: blog), now: at(100))
        _ = core.handle(.cacheHeads([blog: 9]), now: at(1099))
        #expect(request(&core, 1099) == nil)
        _ = core.handle(.cacheHeads([blog: 9]), now: at(1100))
        let asked = try #require(request(&core, 1100))
        #expect(asked.widgets == [blog: ConfirmRequest.Cycle(sequence: 80)])
        let answer = ConfirmAnswer(heads: [blog: 81], raised: [blog])
        _ = core.handle(.confirmed(request: asked.id, answer), now: at(1110))
        _ = core.handle(.laidOut(try laidOut(81), of: blog), now: at(1120))
        _ = core.handle(.cacheHeads([blog: 81]), now: at(3000))
        #expect(request(&core, 11_100) == nil)
    }

    @Test func aNumberAboveThePositionThatAHeadReachesAsksNothing() throws {
        var core = try core()
        let later = try LaidOut.showing(["compact": "b"]).event(try range(11, 11), of: blog)
        _ = core.handle(.laidOut(later, of: blog), now: at(100))
        _ = core.handle(.cacheHeads([blog: 11]), now: at(2000))
        #expect(request(&core, 2000) == nil)
    }

    @Test func aWidgetIsAskedForOnceInTenSeconds() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 9]), now: at(1))
        _ = core.handle(.cacheHeads([blog: 4]), now: at(1000))
        let first = try #require(request(&core, 1000))
        _ = core.handle(.confirmed(request: first.id, ConfirmAnswer(heads: [blog: 9])), now: at(1010))
        // An old head costs one request.
        for moment in stride(from: Int64(2000), to: 11_000, by: 1000) {
            _ = core.handle(.cacheHeads([blog: 4]), now: at(moment))
            #expect(request(&core, moment) == nil)
        }
        #expect(request(&core, 11_000) != nil)
    }

    @Test func aFailedRequestIsRepeatedUntilAHeadAnswersIt() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 4]), now: at(1000))
        let first = try #require(request(&core, 1000))
        _ = core.handle(.confirmFailed(request: first.id), now: at(1001))
        #expect(request(&core, 10_999) == nil)
        let second = try #require(request(&core, 11_000))
        #expect(second.id > first.id)
        _ = core.handle(.confirmFailed(request: second.id), now: at(11_001))
        _ = core.handle(.cacheHeads([blog: 9]), now: at(12_000))
        #expect(request(&core, 60_000) == nil)
    }

    @Test func aWrongPositionIsReportedUntilTheCycleAboveItIsHandled() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 4]), now: at(1000))
        let asked = try #require(request(&core, 1000))
        let answer = ConfirmAnswer(heads: [blog: 10], raised: [blog])
        let step = core.handle(.confirmed(request: asked.id, answer), now: at(1010))
        #expect(step.effects == [.note(.denied([blog]))])
        #expect(denied(&core, 1010) == 1)
        let event = try LaidOut.showing(["compact": "b"]).event(try range(5, 10), of: blog)
        let updates = try core.handle(.laidOut(event, of: blog), now: at(1020)).updates()
        #expect(updates.map(\.range) == [try range(10, 10)])
        #expect(denied(&core, 1020) == 0)
    }

    @Test func aCycleAboveAWrongPositionThatDoesNotArriveIsAskedForAgain() throws {
        var core = try core(committed: -5)
        _ = core.handle(.cacheHeads([blog: 4]), now: at(1000))
        let first = try #require(request(&core, 1000))
        let answer = ConfirmAnswer(heads: [blog: 12], raised: [blog])
        _ = core.handle(.confirmed(request: first.id, answer), now: at(1010))
        // The widget was removed, so that no head names it, and a failover has lost the cycle.
        #expect(request(&core, 11_009) == nil)
        let second = try #require(request(&core, 11_010))
        #expect(second.widgets.keys.sorted() == [blog])
        // While the layout service is down, the cache has the cycle, which is still to come.
        let later = ConfirmAnswer(heads: [blog: 12])
        _ = core.handle(.confirmed(request: second.id, later), now: at(11_020))
        #expect(denied(&core, 11_020) != 0)
        let third = try #require(request(&core, 21_020))
        _ = core.handle(.laidOut(try laidOut(12), of: blog), now: at(21_030))
        _ = core.handle(.confirmed(request: third.id, later), now: at(21_040))
        _ = core.handle(.cacheHeads([blog: 12]), now: at(30_000))
        #expect(request(&core, 40_000) == nil)
    }

    @Test func aHeadWhoseCycleDoesNotArriveAsksTheCacheAfterASilence() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 12]), now: at(1000))
        #expect(request(&core, 10_999) == nil)
        #expect(request(&core, 11_000)?.widgets.keys.sorted() == [blog])
    }

    @Test func aCycleThatArrivesBeforeTheAnswerLeavesNoWrongPosition() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 4]), now: at(1000))
        let asked = try #require(request(&core, 1000))
        let event = try LaidOut.showing(["compact": "b"]).event(try range(5, 10), of: blog)
        _ = core.handle(.laidOut(event, of: blog), now: at(1005))
        let answer = ConfirmAnswer(heads: [blog: 10], raised: [blog])
        _ = core.handle(.confirmed(request: asked.id, answer), now: at(1010))
        // The number stays zero, so it is not reported.
        #expect(denied(&core, 1010) == nil)
    }

    @Test func anotherCycleWithTheNumberOfThePositionAsksTheCache() throws {
        var core = try core(committed: 1)
        _ = core.handle(.cacheHeads([blog: 9]), now: at(10))
        _ = core.handle(.laidOut(try laidOut(9, 1), of: blog), now: at(20))
        #expect(request(&core, 20) == nil, "a copy")
        _ = core.handle(.laidOut(try laidOut(9, 2), of: blog), now: at(30))
        // The head says nothing about it.
        _ = core.handle(.cacheHeads([blog: 9]), now: at(40))
        #expect(request(&core, 40)?.widgets[blog]?.committed == at(1))
    }

    @Test func aWidgetThatNoHeadNamesIsAskedForAfterARound() throws {
        var core = try core()
        #expect(request(&core, 9_999) == nil)
        let due = try #require(core.nextDue)
        #expect(due <= at(10_000))
        #expect(request(&core, 10_000)?.widgets.keys.map(\.self) == [blog])
    }

    @Test func nothingIsDueForAWidgetThatAHeadHasConfirmed() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 9]), now: at(500))
        _ = core.endBatch(now: at(1000))
        #expect(request(&core, 3_600_000) == nil)
    }

    @Test func aClockThatIsSetBackDelaysNoRequest() throws {
        var core = try core()
        _ = core.handle(.cacheHeads([blog: 4]), now: at(3_600_000))
        let first = try #require(request(&core, 3_600_000))
        _ = core.handle(.confirmFailed(request: first.id), now: at(3_600_001))
        #expect(request(&core, 20_000) != nil)
    }
}
