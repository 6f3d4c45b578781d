// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

@Suite struct StreamPositionsTests {
    private let blog: WidgetID
    private var positions: StreamPositions

    init() throws {
        blog = try #require(WidgetID(rawValue: "blog"))
        positions = StreamPositions([blog: 10])
    }

    @Test mutating func aGapIsAskedForAtOnce() throws {
        #expect(positions.nextRequest(at: at(0)) == nil)
        #expect(positions.nextDeadline == nil)
        #expect(positions.handle(try range(12, 12), of: blog, at: at(0)) == .gap(askFrom: 11))
        #expect(positions.nextRequest(at: at(0))?.from == [blog: 11])
    }

    @Test func aNumberFarAheadOfTheClockIsDroppedAndAReplayIsAskedFor() throws {
        let blog = try widget("blog")
        let limit = PlausibleSequence.latest(at: at(0)).number
        var positions = StreamPositions([blog: 10])
        #expect(positions.handle(try range(11, .max), of: blog, at: at(0)) == .gap(askFrom: 11))
        #expect(positions[blog] == 10)
        #expect(positions.nextRequest(at: at(0))?.from == [blog: 11])
        #expect(positions.handle(try range(11, limit + 1), of: blog, at: at(0)) == .gap(askFrom: 11))
        #expect(positions.handle(try range(11, limit), of: blog, at: at(0)).isHandled)
    }

    @Test func aNumberThatAnOwnRequestBroughtIsBelievedAndNoBaseForHigherOnes() throws {
        let blog = try widget("blog")
        var positions = StreamPositions()
        let start = UInt64(at(0).milliseconds) * 2
        #expect(positions.handle(try range(1, start), of: blog, at: at(0)) == .gap(askFrom: 1))
        #expect(positions.handle(try range(1, start), of: blog, at: at(0), isReplayed: true).isHandled)
        let next = try range(start + 1, start + 1)
        #expect(positions.handle(next, of: blog, at: at(0)) == .gap(askFrom: SequenceNumber(start + 1)))
        #expect(positions.handle(next, of: blog, at: at(0), isReplayed: true) == .next)
    }

    @Test func anImplausibleHeadIsToldAndItsCyclesAreAskedForAtOnce() throws {
        let (blog, news) = (try widget("blog"), try widget("news"))
        var positions = StreamPositions([blog: 10, news: 3])
        #expect(positions.heads([blog: SequenceNumber(.max), news: 4], at: at(0)) == [blog])
        let ask = try positions.requiredRequest(at: at(0))
        #expect(ask.from == [blog: 11])
        // There is no such cycle.
        positions.answered(ask.id, records: [], more: false)
        #expect(positions.nextRequest(at: at(1000))?.from == [news: 4])
    }

    @Test mutating func aHeadThatIsAheadCountsAsAGapAfterASecond() {
        positions.heads([blog: 11], at: at(0))
        #expect(positions.nextRequest(at: at(999)) == nil)
        #expect(positions.nextDeadline == at(1000))
        #expect(positions.nextRequest(at: at(1000))?.from == [blog: 11])
    }

    @Test mutating func aHeadThatIsReachedInTimeAsksForNothing() throws {
        positions.heads([blog: 11], at: at(0))
        #expect(positions.handle(try range(11, 11), of: blog, at: at(900)) == .next)
        #expect(positions.nextDeadline == nil)
        #expect(positions.nextRequest(at: at(5000)) == nil)
    }

    @Test mutating func aConsumerThatAlwaysLagsALittleAsksForNothing() throws {
        for cycle in 11...30 as ClosedRange<UInt64> {
            let now = at(Int64(cycle) * 900)
            positions.heads([blog: SequenceNumber(cycle + 1)], at: now)
            #expect(positions.handle(try range(cycle, cycle), of: blog, at: now.advanced(byMilliseconds: 1)) == .next)
            #expect(positions.nextRequest(at: now.advanced(byMilliseconds: 2)) == nil)
        }
    }

    @Test func aWidgetNeverSeenIsFoundByItsHead() throws {
        let blog = try widget("blog")
        var positions = StreamPositions()
        positions.heads([blog: 7], at: at(0))
        #expect(positions.nextRequest(at: at(1000))?.from == [blog: 1])
    }

    @Test func manyWidgetsAreAskedForInOneRequest() throws {
        var positions = StreamPositions()
        let widgets = try (0..<100).map { try widget("w\($0)") }
        for widget in widgets { _ = positions.handle(try range(3, 3), of: widget, at: at(0)) }
        let ask = try positions.requiredRequest(at: at(0))
        #expect(ask.from == Dictionary(uniqueKeysWithValues: widgets.map { ($0, 1) }))
        #expect(positions.nextRequest(at: at(100)) == nil, "one ask is on its way at a time")
    }

    @Test func moreWidgetsThanOneAskNamesGetTheirTurn() throws {
        var positions = StreamPositions(limits: CatchUpLimits(widgetsPerRequest: 10))
        for index in 0..<25 { _ = positions.handle(try range(3, 3), of: try widget("w\(index)"), at: at(0)) }
        var asked: Set<WidgetID> = []
        for round in 0..<3 as Range<Int64> {
            let ask = try positions.requiredRequest(at: at(round))
            #expect(ask.from.count <= 10)
            asked.formUnion(ask.from.keys)
            positions.askFailed(ask.id)
        }
        #expect(asked.count == 25)
    }

    @Test mutating func aWidgetIsAskedForOnceInASecond() throws {
        _ = positions.handle(try range(12, 12), of: blog, at: at(0))
        let ask = try positions.requiredRequest(at: at(0))
        positions.answered(ask.id, records: [], more: false)
        _ = positions.handle(try range(13, 13), of: blog, at: at(500))
        #expect(positions.nextRequest(at: at(999)) == nil)
        #expect(positions.nextDeadline == at(1000))
        #expect(positions.nextRequest(at: at(1000))?.from == [blog: 11])
    }

    @Test mutating func anAskWithoutAnswerIsRepeated() throws {
        _ = positions.handle(try range(12, 12), of: blog, at: at(0))
        let first = try positions.requiredRequest(at: at(0))
        #expect(positions.nextDeadline == at(5000))
        #expect(positions.nextRequest(at: at(4999)) == nil)
        let second = try positions.requiredRequest(at: at(5000))
        #expect(second.from == first.from && second.id != first.id)
        positions.askFailed(second.id)
        #expect(positions.nextRequest(at: at(5999)) == nil)
        #expect(positions.nextRequest(at: at(6000))?.from == first.from)
    }

    @Test func theNextPageIsAskedForAtOnce() throws {
        let names = try ["a", "b", "c"].map { try widget($0) }
        var positions = StreamPositions()
        for name in names { _ = positions.handle(try range(5, 5), of: name, at: at(0)) }
        let ask = try positions.requiredRequest(at: at(0))
        let records = [(names[0], try range(1, 5)), (names[1], try range(1, 4))]
        positions.answered(ask.id, records: records, more: true)
        for (name, cycles) in records { #expect(positions.handle(cycles, of: name, at: at(1)).isHandled) }
        let next = try positions.requiredRequest(at: at(1))
        #expect(next.from == [names[1]: 5, names[2]: 1])
    }

    @Test mutating func aPageThatBringsNothingNewIsNotFollowedAtOnce() throws {
        _ = positions.handle(try range(12, 12), of: blog, at: at(0))
        let ask = try positions.requiredRequest(at: at(0))
        positions.answered(ask.id, records: [(blog, try range(10, 10))], more: true)
        #expect(positions.nextRequest(at: at(1)) == nil)
        #expect(positions.nextRequest(at: at(1000))?.from == [blog: 11])
    }

    @Test func aPageThatBringsNothingNewEndsNoDoubtAboutTheWidgetsBehindIt() throws {
        let names = try ["a", "b", "c"].map { try widget($0) }
        var positions = StreamPositions([names[0]: 1, names[1]: 1, names[2]: 1])
        positions.askForAll()
        let ask = try positions.requiredRequest(at: at(0))
        // A live message overtakes the answer.
        #expect(positions.handle(try range(2, 2), of: names[1], at: at(1)) == .next)
        positions.answered(ask.id, records: [(names[1], try range(2, 2))], more: true)
        #expect(positions.nextRequest(at: at(1)) == nil)
        #expect(positions.nextRequest(at: at(1000))?.from == [names[1]: 3, names[2]: 2])
    }

    @Test mutating func aReplayThatStartsLateIsAGapToo() throws {
        _ = positions.handle(try range(15, 15), of: blog, at: at(0))
        let ask = try positions.requiredRequest(at: at(0))
        positions.answered(ask.id, records: [(blog, try range(13, 13))], more: false)
        #expect(positions.handle(try range(13, 13), of: blog, at: at(1)) == .gap(askFrom: 11))
        #expect(positions[blog] == 10)
        #expect(positions.nextRequest(at: at(1000))?.from == [blog: 11])
    }

    @Test mutating func aHeadBelowThePositionIsNoReasonForAReplay() {
        positions.heads([blog: 4], at: at(0))
        #expect(positions.nextRequest(at: at(9000)) == nil)
        #expect(positions.openCount == 0)
    }

    @Test mutating func positionsOfAnotherEpochReplaceHigherOnes() throws {
        #expect(positions.handle(try range(13, 13), of: blog, at: at(0)) == .gap(askFrom: 11))
        let ask = try positions.requiredRequest(at: at(0))
        positions.replace(with: [blog: 4])
        #expect(positions[blog] == 4)
        #expect(positions.nextRequest(at: at(9000)) == nil)
        // The answer to a request of the earlier epoch is not taken for that of a new one.
        #expect(positions.handle(try range(7, 7), of: blog, at: at(9000)) == .gap(askFrom: 5))
        #expect(try positions.requiredRequest(at: at(9000)).id > ask.id)
    }

    @Test func afterAReconnectAllIsAskedForOnce() throws {
        let names = try ["a", "b", "c"].map { try widget($0) }
        var positions = StreamPositions([names[0]: 1, names[1]: 2, names[2]: 3])
        positions.askForAll()
        #expect(positions.nextDeadline != nil)
        let ask = try positions.requiredRequest(at: at(0))
        #expect(ask.from == [names[0]: 2, names[1]: 3, names[2]: 4])
        positions.answered(ask.id, records: [(names[1], try range(3, 3))], more: true)
        #expect(positions.handle(try range(3, 3), of: names[1], at: at(1)).isHandled)
        let next = try positions.requiredRequest(at: at(1))
        #expect(next.from == [names[1]: 4, names[2]: 4])
        positions.answered(next.id, records: [], more: false)
        #expect(positions.nextRequest(at: at(5000)) == nil)
        #expect(positions.nextDeadline == nil)
    }

    @Test mutating func aClockSetBackDelaysNothing() throws {
        _ = positions.handle(try range(12, 12), of: blog, at: at(0))
        let ask = try positions.requiredRequest(at: at(0))
        positions.askFailed(ask.id)
        #expect(positions.nextRequest(at: at(-3_600_000))?.from == [blog: 11])
    }

    @Test mutating func aSnapshotMovesForwardOnly() {
        positions.join(blog, at: 8)
        #expect(positions[blog] == 10)
        positions.heads([blog: 12], at: at(0))
        positions.join(blog, at: 12)
        #expect(positions[blog] == 12)
        #expect(positions.nextRequest(at: at(2000)) == nil)
    }

    @Test func whatIsOpenIsCountedWhereverItComesFrom() throws {
        let names = try (0..<50).map { try widget("w\($0)") }
        var positions = StreamPositions(Dictionary(uniqueKeysWithValues: names.map { ($0, SequenceNumber(10)) }))
        positions.askForAll()
        positions.askForAll()
        #expect(positions.openCount == 50)
        let ask = try positions.requiredRequest(at: at(0))
        positions.heads([names[0]: 12, names[1]: 8], at: at(0))
        positions.answered(ask.id, records: [], more: false)
        #expect(positions.openCount == 1, "one has a newer head; the answer says of the other that it is right")
        _ = positions.handle(try range(11, 12), of: names[0], at: at(1))
        #expect(positions.openCount == 0)
        #expect(positions.nextDeadline == nil)
    }

    /// Thousands of widgets that lack something cost each ask no more than those that it names.
    @Test func manyWidgetsAreAskedForInTurnOnceEach() throws {
        let names = try (0..<5000).map { try widget("w\($0)") }
        var positions = StreamPositions(
            Dictionary(uniqueKeysWithValues: names.map { ($0, SequenceNumber(10)) }),
            limits: CatchUpLimits(widgetsPerRequest: 700)
        )
        positions.askForAll()
        var asked: Set<WidgetID> = []
        for turn in 0..<8 {
            let ask = try positions.requiredRequest(at: at(Int64(turn)))
            #expect(asked.isDisjoint(with: ask.from.keys))
            asked.formUnion(ask.from.keys)
            positions.answered(ask.id, records: [], more: false)
        }
        #expect(asked.count == 5000)
        #expect(positions.openCount == 0)
        #expect(positions.nextRequest(at: at(8)) == nil)
    }
}
