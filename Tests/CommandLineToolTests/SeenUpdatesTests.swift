// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Testing
import WidgetSchema

@testable import CommandLineTool

/// Repeated and missed updates, by their numbers.
@Suite struct SeenUpdatesTests {
    private let blog: WidgetID
    private let news: WidgetID

    init() throws {
        blog = try #require(WidgetID(rawValue: "blog"))
        news = try #require(WidgetID(rawValue: "news"))
    }

    private func event(_ widget: WidgetID, _ number: UInt64) -> Event<Update> {
        let now = Instant(milliseconds: 0)
        let update = Update(
            result: .noData,
            reason: .sameRows,
            cause: .refresh,
            outcome: .changed,
            changed: [],
            displays: [:],
            hasContent: true,
            times: CycleTimes(),
            summary: ""
        )
        return Event(
            .update(.noData, widget),
            widget: widget,
            range: SequenceRange(SequenceNumber(number)),
            time: now,
            data: update
        )
    }

    @Test func anUpdateIsNewOnce() {
        var seen = SeenUpdates()
        var isNew: Bool
        isNew = seen.isNew(event(blog, 7))
        #expect(isNew)
        isNew = seen.isNew(event(blog, 7))
        #expect(!isNew)
        isNew = seen.isNew(event(blog, 6))
        #expect(!isNew)
        isNew = seen.isNew(event(news, 6))
        #expect(isNew)
        isNew = seen.isNew(event(blog, 8))
        #expect(isNew)
    }

    @Test func whatWasMissedIsCountedOnceAndOnlyAfterALostConnection() {
        var seen = SeenUpdates()
        var missed: SeenUpdates.Missed?
        _ = seen.isNew(event(blog, 7))
        _ = seen.isNew(event(news, 20))
        missed = seen.handleHeads([blog: SequenceNumber(9)])
        #expect(missed == nil)
        seen.mayHaveMissed()
        let heads = [blog: SequenceNumber(10), news: SequenceNumber(21)]
        missed = seen.handleHeads(heads)
        #expect(missed == SeenUpdates.Missed(count: 4, since: SequenceNumber(8)))
        missed = seen.handleHeads(heads)
        #expect(missed == nil)
        seen.mayHaveMissed()
        missed = seen.handleHeads(heads)
        #expect(missed == nil)
    }
}
