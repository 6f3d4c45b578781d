// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Layout

/// Tests of the layouts at the next times of a visible change.
@Suite struct TimelineTests {
    private func timeline(
        _ content: Content,
        on display: Display,
        zone: String? = nil,
        isStale: Bool = false
    ) throws -> Timeline {
        var core = LayoutCore()
        let now = Sample.instant
        let request = TimelineRequest(widget: try Sample.widget(), display: display.name)
        let ask = LayoutInput.request(1, .timeline(request), deadline: now.advanced(byMilliseconds: 5000))
        guard case .ask(let id, _, _)? = core.handle(ask, now: now).first else { throw CocoaError(.featureUnsupported) }
        let (reference, frame) = try Sample.frame(content)
        var cycle = try Sample.cycle(7, content: reference, contentSequence: 7, displays: [display], kind: content.kind)
        cycle.data.definition.timeZone = zone
        if isStale { (cycle.data.lastSuccess, cycle.data.staleAt) = (Sample.instant, Sample.instant) }
        let page = Records(records: [cycle], contents: [reference], more: false)
        guard case .reply(_, let json)? = core.handle(.answered(id, page, contents: [frame]), now: now).first else {
            throw CocoaError(.featureUnsupported)
        }
        return try WireJSON.decode(Answer<Timeline>.self, from: json).get()
    }

    @Test func eachDisplayTellsItsNextMidnightAndOneWithoutADayTellsNone() throws {
        var (london, berlin) = (try Sample.today(.compact), try Sample.today(.expanded))
        (london.timeZone, berlin.timeZone) = ("Europe/London", "Europe/Berlin")
        for (kind, content) in [(WidgetKind.forecast, try Sample.forecast(days: 3)), (.feed, Sample.feed(3))] {
            var core = LayoutCore()
            let (reference, frame) = try Sample.frame(content)
            let cycle = try Sample.cycle(
                7,
                content: reference,
                contentSequence: 7,
                displays: [london, berlin],
                kind: kind
            )
            let effects = core.handle(.refreshed(cycle, content: frame), now: Sample.instant)
            let events = try effects.compactMap { effect in
                if case .publish(_, let json) = effect {
                    try WireJSON.decode(Event<LaidOut>.self, from: json)
                } else {
                    nil
                }
            }
            let displays = try #require(events.first).data.displays
            let midnights: [Instant?] = [24, 23].map {
                Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: $0 * 3_600_000)
            }
            let expected = kind == .forecast ? midnights : [nil, nil]
            #expect([london, berlin].map { displays[$0.name]?.nextChange } == expected)
        }
    }

    @Test func theForecastMovesOnAtEachMidnightOfTheWidgetsZone() throws {
        let days = try Sample.forecast(days: 30)
        let timeline = try timeline(days, on: try Sample.today(.compact), zone: "Europe/Berlin")
        // Midnight in Berlin is 23:00 in London.
        let midnights = (21...27).map { Instant(year: 2026, month: 11, day: $0, millisecondsOfDay: 23 * 3_600_000) }
        #expect(timeline.entries.map(\.date) == [Sample.instant] + midnights)
        #expect(Set(timeline.entries.map(\.digest)).count == 8)
        #expect(timeline.entries[2].layout.lines.prefix(2) == ["Today", "Partly cloudy"])
        #expect(timeline.policy == .atEnd && timeline.date == nil)
    }

    @Test func midnightsThatShowNothingNewAreNoEntries() throws {
        // Two days are known, then it says once that there is no forecast.
        let timeline = try timeline(try Sample.forecast(days: 2), on: try Sample.today(.compact))
        #expect(timeline.entries.map(\.layout.lines.first) == ["Today", "Today", "No forecast"])
        #expect(timeline.policy == .atEnd)
    }

    @Test func whereNothingChangesForSevenDaysTheHostMayWait() throws {
        let quote = Sample.quote("Always the same.")
        let timeline = try timeline(quote, on: try Sample.today(.compact))
        #expect(timeline.entries.count == 1)
        #expect(timeline.policy == .after)
        #expect(timeline.date == Instant(year: 2026, month: 11, day: 29, millisecondsOfDay: 0))
    }

    @Test func onlyNewContentChangesFactsAndPosts() throws {
        for content in [Sample.feed(3), Sample.facts, Sample.documents(2), Sample.list(3)] {
            let timeline = try timeline(content, on: try Sample.today(.compact))
            #expect(timeline.entries.count == 1 && timeline.policy == .never && timeline.date == nil)
        }
    }

    @Test func theDayOfAShownMarkIsInTheTimeline() throws {
        let panel = try Sample.panel(464, 250) { ($0.panel, $0.timeZone) = (Panel(palette: .mono), "Europe/Berlin") }
        let timeline = try timeline(Sample.facts, on: panel, isStale: true)
        let midnight = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 23 * 3_600_000)
        // The mark of an earlier day has the weekday, too.
        #expect(timeline.entries.prefix(2).map(\.date) == [Sample.instant, midnight])
    }
}
