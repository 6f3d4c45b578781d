// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceEngine
import Testing
import WidgetSchema

@testable import Notifier

@Suite final class NotifierCoreTests {
    private var core: NotifierCore

    init() throws { core = try NotifierCore(nonce: "n") }

    @Test func aCycleBecomesOneUpdateWithAllThatItSays() throws {
        let first = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let single = try range(1, 1)
        #expect(first.range == single)
        #expect(first.id == "update/newData/blog/\(SequenceNumber(1))")
        #expect(first.subject == "blog" && first.source == "/tidings/notifier")
        #expect(first.data.previousNewData == nil)
        #expect(first.data.summary == "a" && first.data.hasContent)
        #expect(first.data.times.decided == at(0) && first.data.times.answered == at(-30))
        let second = try core.update(.showing(["compact": "a"], outcome: .notModified), 2, of: blog)
        #expect(second.data.result == .noData && second.data.reason == .notModified)
        #expect(second.data.previousNewData == 1)
        let third = try core.update(.showing(["compact": "b"]), 3, of: blog)
        #expect(third.data.result == .newData && third.data.previousNewData == 1)
        let failure = try core.update(.showing(["compact": "b"], outcome: .failed, failure: .rateLimited), 4, of: blog)
        #expect(failure.data.previousNewData == 3 && failure.data.failure?.class == .rateLimited)
    }

    @Test func aDuplicateSaysNothing() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, 5, of: blog)
        #expect(try core.updates(.showing(["compact": "b"]), 5, of: blog).isEmpty)
        #expect(try core.updates(.showing(["compact": "b"]), 2, 4, of: blog).isEmpty)
    }

    @Test func anOverlapStandsForTheCyclesNotYetSeen() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, 5, of: blog)
        let update = try core.update(.showing(["compact": "a"], outcome: .notModified), 3, 8, of: blog)
        #expect(update.range == (try range(6, 8)))
        #expect(update.data.result == .noData, "it is compared with what was announced, not with cycle 2")
        let next = try core.update(.showing(["compact": "b"], outcome: .notModified), 9, 20, of: blog)
        #expect(try next.range == range(9, 20))
        #expect(next.data.result == .newData)
    }

    @Test func aGapIsAskedForOnceForAllWidgets() throws {
        let (blog, news) = (try widget("blog"), try widget("news"))
        for widget in [blog, news] { #expect(try core.updates(.showing(["compact": "a"]), 4, of: widget).isEmpty) }
        let ask = core.ask(at: at(1))
        #expect(ask?.from == [blog: 1, news: 1])
        #expect(core.ask(at: at(2)) == nil)
    }

    @Test func aHeadThatIsAheadIsAskedForAfterASecond() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        _ = core.handle(.cacheHeads([blog: 2]), now: at(0))
        #expect(core.ask(at: at(999)) == nil)
        let deadline = try #require(core.nextDue)
        #expect(deadline <= at(1000))
        let asked = core.ask(at: at(1000))
        let ask = try #require(asked)
        #expect(ask.from == [blog: 2])
        let laidOut = try LaidOut.showing(["compact": "b"]).event(try range(2, 2), of: blog)
        let updates = try core.handle(.replayed(ask: ask.id, Records(records: [laidOut], more: false)), now: at(1010))
            .updates()
        #expect(updates.map(\.data.result) == [.newData])
        #expect(core.ask(at: at(9000)) == nil)
    }

    @Test func aFailedAskIsRepeatedAfterASecond() throws {
        _ = try core.updates(.showing(["compact": "a"]), 4, of: blog)
        let asked = core.ask(at: at(0))
        let ask = try #require(asked)
        _ = core.handle(.replayFailed(ask: ask.id), now: at(100))
        #expect(core.ask(at: at(999)) == nil)
        #expect(core.ask(at: at(1000))?.from == [blog: 1])
    }

    @Test func aWidgetThatComesBackIsNew() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let removal = try core.update(.removed(), 2, of: blog)
        #expect(removal.data.result == .newData && removal.data.reason == .removed && removal.data.displays.isEmpty)
        let back = try core.update(.showing(["compact": "a"]), 3, of: blog)
        #expect(back.data.result == .newData && back.data.reason == .firstContent)
        #expect(try back.data.changed == [display("compact")])
        #expect(back.data.previousNewData == 2)
    }

    @Test func contentThatComesBackAsItWasIsNoNewData() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        var nothing = try LaidOut.showing(["compact": "nothing"], isMissing: true)
        nothing.hasContent = true
        let lost = try core.update(nothing, 2, of: blog)
        #expect(lost.data.result == .noData && lost.data.reason == .missing)
        let back = try core.update(.showing(["compact": "a"]), 3, of: blog)
        #expect(back.data.result == .noData && back.data.reason == .sameRows && back.data.changed.isEmpty)
        _ = try core.update(nothing, 4, of: blog)
        let other = try core.update(.showing(["compact": "b"]), 5, of: blog)
        #expect(other.data.result == .newData && other.data.reason == .firstContent)
    }

    @Test func contentThatComesBackAfterAnAnnouncedErrorIsNewData() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let error = try core.update(.showing(["compact": "error"], outcome: .failed, isMissing: true), 2, of: blog)
        #expect(try error.data.changed == [display("compact")])
        let back = try core.update(.showing(["compact": "a"]), 3, of: blog)
        #expect(back.data.result == .newData && back.data.reason == .firstContent)
    }

    @Test func aDisplayThatLooksLikeThePlaceholderIsAnnouncedWithTheFirstContent() throws {
        let actions = ["compact": "actions", "expanded": "Open the app"]
        let start = try core.update(.showing(actions, isMissing: true), 1, of: blog)
        #expect(start.data.reason == .missing && start.data.changed.isEmpty)
        let first = try core.update(.showing(["compact": "actions", "expanded": "a"]), 2, of: blog)
        #expect(try first.data.changed == [display("compact"), display("expanded")])
    }

    @Test func theFirstContentIsNewDataHoweverManyEqualErrorsCameBefore() throws {
        for failures in 1...3 as ClosedRange<UInt64> {
            var core = try NotifierCore(nonce: "n")
            let error = try LaidOut.showing(["compact": "actions"], outcome: .failed, isMissing: true)
            for number in 1...failures { _ = try core.update(error, number, of: blog) }
            let first = try core.update(.showing(["compact": "actions"]), failures + 1, of: blog)
            #expect(first.data.result == .newData && first.data.reason == .firstContent)
        }
    }

    @Test func aDisplayThatWasRemovedWhileContentWasMissingIsAnnouncedAgain() throws {
        _ = try core.update(.showing(["compact": "a", "expanded": "a"]), 1, of: blog)
        _ = try core.update(.showing(["compact": "nothing"], isMissing: true), 2, of: blog)
        let back = try core.update(.showing(["compact": "a", "expanded": "a"]), 3, of: blog)
        #expect(try back.data.changed == [display("expanded")])
    }

    @Test func afterAReconnectAllWidgetsAreAskedFor() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        _ = core.handle(.resubscribed, now: at(0))
        #expect(core.ask(at: at(0))?.from == [blog: 2])
    }

    @Test func headsNameTheLastNewData() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        _ = try core.update(.showing(["compact": "a"], outcome: .sameBytes), 2, of: blog)
        let effects = core.endBatch(now: at(0))
        guard case .publish(let topic, let bytes) = try #require(effects.first) else {
            Issue.record("nothing is published")
            return
        }
        #expect(topic == .heads(of: .notifier))
        let event = try WireJSON.decode(Event<NotifierHeads>.self, from: bytes)
        #expect(event.data.heads == [blog: Head(sequence: 2, lastNewData: 1)])
        #expect(event.id == "heads/notifier/n-1")
        #expect(core.endBatch(now: at(500)).isEmpty)
        #expect(core.endBatch(now: at(1000)).count == 1)
    }

    @Test func aConsumerThatIsAheadChangesNothing() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let replay = core.handle(.replayRequested(7, from: [blog: 21]), now: at(0))
        #expect(replay.effects == [.answerReplay(7, from: [blog: 21])])
        #expect(core.ask(at: at(0)) == nil)
    }

    @Test func aForgedCycleWithTheLargestNumberTakesNoUpdateFromItsWidget() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let forged = try LaidOut.showing(["compact": "x"]).event(try range(2, .max), of: blog)
        let step = core.handle(.laidOut(forged, of: blog), now: at(0))
        #expect(step.effects == [.note(.implausible(blog, SequenceNumber(.max)))])
        #expect(core.ask(at: at(0))?.from == [blog: 2])
        #expect(try core.update(.showing(["compact": "b"]), 2, of: blog).data.result == .newData)
    }

    @Test func aForgedHeadIsNotedAndCostsOneRequest() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let step = core.handle(.cacheHeads([blog: SequenceNumber(.max)]), now: at(0))
        #expect(step.effects == [.note(.implausible(blog, SequenceNumber(.max)))])
        #expect(core.ask(at: at(0))?.from == [blog: 2])
        #expect(core.ask(at: at(2000)) == nil)
    }

    @Test func aNumberOfTheCachesOwnAnswerIsBelievedWhateverTheClockSays() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        let far = UInt64(at(0).milliseconds) * 2
        let event = try LaidOut.showing(["compact": "b"]).event(try range(2, far), of: blog)
        #expect(core.handle(.laidOut(event, of: blog), now: at(0)).effects.count == 1)
        let asked = core.ask(at: at(0))
        let ask = try #require(asked)
        let updates = try core.handle(.replayed(ask: ask.id, Records(records: [event], more: false)), now: at(1))
            .updates()
        #expect(updates.map(\.range) == [try range(2, far)])
    }

    @Test func aSnapshotGoesOnBehindAPage() throws {
        let names = try ["a", "b", "c"].map { try widget($0) }
        for name in names { _ = try core.update(.showing(["compact": "a"]), 1, of: name) }
        let first = core.handle(.snapshotRequested(1, widgets: nil, after: nil), now: at(0))
        #expect(first.effects == [.answerSnapshot(1, widgets: names[...], end: core.end)])
        let rest = core.handle(.snapshotRequested(2, widgets: nil, after: names[0]), now: at(0))
        #expect(rest.effects == [.answerSnapshot(2, widgets: names[1...], end: core.end)])
        let read = core.read(.snapshotRequested(4, widgets: nil, after: names[0]))
        #expect(read == .answerSnapshot(4, widgets: names[1...], end: core.end))
        let wanted = [names[2], try widget("unknown"), names[0]]
        let some = core.handle(.snapshotRequested(3, widgets: wanted, after: nil), now: at(0))
        #expect(some.effects == [.answerSnapshot(3, widgets: [names[0], names[2]][...], end: core.end)])
    }

    @Test func aCycleThatCannotBeWrittenIsCoveredByTheNext() throws {
        _ = try core.update(.showing(["compact": "a"]), 1, of: blog)
        var broken = try LaidOut.showing(["compact": "b"])
        broken.displays[try display("compact")]?.height = .nan
        let effects = core.handle(.laidOut(broken.event(try range(2, 2), of: blog), of: blog), now: at(0)).effects
        guard case .note(.malformed(blog, _)) = try #require(effects.first), effects.count == 1 else {
            Issue.record("it is not reported: \(effects)")
            return
        }
        let update = try core.update(.showing(["compact": "b"]), 3, of: blog)
        #expect(try update.range == range(2, 3))
        #expect(try update.data.changed == [display("compact")])
    }
}
