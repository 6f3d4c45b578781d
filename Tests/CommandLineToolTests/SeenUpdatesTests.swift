// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
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
        let (range, now) = (SequenceRange(SequenceNumber(number)), Instant(milliseconds: 0))
        let update = Update.sample { $0.summary = "\(number)" }
        return Event(.update(.noData, widget), widget: widget, range: range, time: now, data: update)
    }

    @Test func anUpdateIsNewOnce() {
        var seen = SeenUpdates()
        let events: [(WidgetID, UInt64, Bool)] = [
            (blog, 7, true), (blog, 7, false), (blog, 6, false), (news, 6, true), (blog, 8, true),
        ]
        for (widget, number, isNew) in events {
            let found = seen.isNew(event(widget, number))
            #expect(found == isNew, "\(widget) \(number)")
        }
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
