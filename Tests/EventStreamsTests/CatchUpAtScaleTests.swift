// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import Testing
import WidgetSchema

/// Tests of the requests of a consumer of many widgets after an outage of the bus.
@Suite(.timeLimit(.minutes(3))) struct CatchUpAtScaleTests {
    private static let count = 10_000
    /// About what a page of an internal frame holds.
    private static let recordsPerPage = 600

    private static let widgets = (0..<count).compactMap { WidgetID(rawValue: "w\($0)") }
    private let position = SequenceNumber(1_763_683_200_000)

    @Test func allWidgetsAreHealedByTheFewestPagesAndAtOnce() throws {
        var positions = StreamPositions(Dictionary(uniqueKeysWithValues: Self.widgets.map { ($0, position) }))
        positions.askForAll()
        // Each has missed one cycle; the producer answers in the order of the ids, as far as a page goes.
        let missed = SequenceRange(position.next)
        var (asks, answered) = (0, 0)
        while let ask = positions.nextRequest(at: at(0)) {
            asks += 1
            let lacking = ask.from.filter { $0.value == position.next }.keys.sorted()
            let page = lacking.prefix(Self.recordsPerPage)
            let records = page.map { ($0, missed) }
            positions.answered(ask.id, records: records, more: page.count < lacking.count)
            for (widget, range) in records where positions.handle(range, of: widget, at: at(0)) == .next {
                answered += 1
            }
        }
        #expect(answered == Self.count)
        #expect(positions.openCount == 0)
        // At the end of each ask's widgets a page is not full.
        #expect(asks <= Self.count / Self.recordsPerPage + Self.count / CatchUpLimits.defaultWidgetsPerRequest + 1)
    }

    @Test func whoHasMissedNothingAsksForEachWidgetOnce() throws {
        var positions = StreamPositions(Dictionary(uniqueKeysWithValues: Self.widgets.map { ($0, position) }))
        positions.askForAll()
        var asked = 0
        while let ask = positions.nextRequest(at: at(0)) {
            asked += ask.from.count
            positions.answered(ask.id, records: [], more: false)
        }
        #expect(asked == Self.count)
        #expect(positions.nextRequest(at: at(10_000)) == nil)
    }
}
