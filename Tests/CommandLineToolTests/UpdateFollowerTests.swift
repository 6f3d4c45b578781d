// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@testable import CommandLineTool

/// Tests of the updates that a follower shows, and of its requests for missing ones.
@Suite struct UpdateFollowerTests {
    private let start = Instant(milliseconds: 1_000_000)

    private func widget(_ name: String) throws -> WidgetID { try #require(WidgetID(rawValue: name)) }

    private func follower(_ since: UInt64, _ prefixes: String...) throws -> UpdateFollower {
        UpdateFollower(since: SequenceNumber(since), filter: try #require(UpdateFilter(prefixes)))
    }

    private func update(
        _ first: UInt64,
        _ last: UInt64,
        _ result: UpdateResult = .noData,
        of name: String = "blog"
    ) throws -> Event<Update> {
        let range = try #require(SequenceRange(first: SequenceNumber(first), sequence: SequenceNumber(last)))
        let widget = try widget(name)
        let data = Update(
            result: result,
            reason: result == .newData ? .visibleChange : .notModified,
            cause: .refresh,
            outcome: .notModified,
            changed: [],
            displays: [:],
            hasContent: true,
            times: CycleTimes(),
            summary: ""
        )
        return Event(Topic.update(result, widget), widget: widget, range: range, time: start, data: data)
    }

    @Test func itAsksFromTheFirstCycleWantedAndNeverBeyondTheNext() throws {
        let blog = try widget("blog")
        for (since, head, expected) in [(5, 9, 5), (20, 9, 10), (1, 9, 1)] as [(UInt64, UInt64, UInt64)] {
            var follower = try follower(since, "update/")
            follower.handleHeads([blog: SequenceNumber(head)], at: start)
            #expect(follower.nextAsk(at: start)?.from == [blog: SequenceNumber(expected)])
            #expect(follower.nextAsk(at: start) == nil)
        }
        var stranger = try follower(1, "update/newData/news/")
        stranger.handleHeads([blog: 9], at: start)
        #expect(stranger.nextAsk(at: start) == nil)
    }

    @Test func whatItShowsTilesWhateverArrives() throws {
        let blog = try widget("blog")
        var follower = try follower(3, "update/")
        follower.handleHeads([blog: 4], at: start)
        // A live message comes before the replay: too early, and again in the replay.
        #expect(follower.handle(try update(5, 5), isReplayed: false, at: start) == nil)
        let asked = follower.nextAsk(at: start)
        let ask = try #require(asked)
        let records = [try update(3, 4), try update(5, 5)]
        _ = follower.answered(ask, Records(records: records, more: false))
        var shown = records.compactMap { follower.handle($0, isReplayed: true, at: start) }
        let live = [try update(5, 5), try update(4, 7), try update(9, 9), try update(8, 9)]
        shown += live.compactMap { follower.handle($0, isReplayed: false, at: start) }
        #expect(shown.compactMap(\.range).map(\.first) == [3, 5, 6, 8])
        #expect(shown.compactMap(\.range).map(\.sequence) == [4, 5, 7, 9])
    }

    @Test func onlyWhatIsWantedIsShownButAllIsFollowed() throws {
        let blog = try widget("blog")
        var follower = try follower(12, "update/newData/")
        follower.handleHeads([blog: 9], at: start)
        let results: [UpdateResult] = [.newData, .newData, .newData, .noData, .newData]
        let shown = try zip(UInt64(10)..., results).compactMap {
            follower.handle(try update($0, $0, $1), isReplayed: false, at: start)?.range?.sequence
        }
        #expect(shown == [12, 14])
    }

    @Test func theSnapshotOfAnotherEpochReplacesPositionsAndNewWidgetsBeginAtSince() throws {
        let (blog, news) = (try widget("blog"), try widget("news"))
        var follower = try follower(3, "update/")
        let before = StreamOffset(epoch: .random(), number: 5)
        let after = StreamOffset(epoch: .random(), number: 2)
        #expect(follower.handleSnapshot([try update(9, 9)], end: before, at: start).isNewEpoch == false)
        #expect(follower.handle(try update(3, 9), isReplayed: true, at: start) != nil)

        follower.handleHeads([blog: 20], end: after, at: start)
        #expect(follower.needsSnapshot)
        let records = [try update(1, 7), try update(5, 8, of: "news")]
        #expect(follower.handleSnapshot(records, end: after, at: start).isNewEpoch)
        #expect(follower.nextAsk(at: start)?.from[news] == 3)
        #expect(follower.handle(try update(8, 8), isReplayed: false, at: start)?.range?.sequence == 8)
    }

    @Test func aReaderWithASlowClockShowsTheUpdatesThatItRequested() throws {
        let blog = try widget("blog")
        let next = UInt64(start.milliseconds) + 2 * UInt64(PlausibleSequence.leadMilliseconds)
        var follower = try follower(.init(next), "update/")
        follower.handleHeads([blog: SequenceNumber(next - 1)], at: start)
        for sequence in next...(next + 1) {
            let cycle = try update(sequence, sequence)
            #expect(follower.handle(cycle, isReplayed: false, at: start) == nil)
            let due = follower.nextAsk(at: start.advanced(byMilliseconds: Int64(sequence - next) * 2000))
            let ask = try #require(due)
            let isAccepted = follower.answered(ask, Records(records: [cycle], more: false))
            #expect(isAccepted)
            #expect(follower.handle(cycle, isReplayed: true, at: start) != nil)
        }
    }

    @Test(arguments: [
        (["update/"], ["heads/notifier/", "update/"]), (["update/newData/"], ["heads/notifier/", "update/"]),
        (
            ["update/newData/blog/"],
            ["heads/notifier/", "update/failed/blog/", "update/newData/blog/", "update/noData/blog/"]
        ),
    ])
    func everyResultOfWhatIsWantedIsSubscribedTo(_ prefixes: [String], _ expected: [String]) {
        #expect(UpdateFilter(prefixes)?.subscriptions == expected)
        #expect(UpdateFilter(prefixes + ["layout/"]) == nil)
    }
}
