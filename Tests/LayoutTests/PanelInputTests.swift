// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Layout
@testable import LayoutEngine

/// The inputs of layouts that only panels show: they change no drawing, and no digest, of another display.
@Suite struct PanelInputTests {
    private static let failure = FailureCause(class: .permanent, status: 404, explanation: "The page does not exist.")

    private func passive(_ change: (inout Panel) -> Void = { _ in }) throws -> Display {
        var panel = Panel(palette: .mono)
        change(&panel)
        return try Sample.panel(800, 480) { $0.panel = panel }
    }

    private func key(
        _ shown: ShownContent,
        on display: Display,
        _ change: (inout WidgetMoment) -> Void = { _ in }
    ) -> DrawingKey {
        var moment = Sample.moment()
        change(&moment)
        return DrawingOrder(shown: shown, moment: moment, display: display).key
    }

    private func shown(_ content: Content) throws -> ShownContent {
        .content(content, try Sample.frame(content).reference.digest)
    }

    private func laidOut(_ cycle: Event<Refreshed>, _ frame: Data) throws -> LaidOut {
        var core = LayoutCore()
        let events = try core.handle(.refreshed(cycle, content: frame), now: Sample.instant).compactMap { effect in
            if case .publish(_, let json) = effect { try WireJSON.decode(Event<LaidOut>.self, from: json) } else { nil }
        }
        return try #require(events.first).data
    }

    // MARK: The stale mark

    @Test func aMarkIsAnInputOfPanelsWithContentOnly() throws {
        let feed = try shown(Sample.feed(3))
        let others = try Sample.displays() + [Sample.home(.systemLarge, 364, 382)]
        for (display, differs) in try [(passive(), true)] + others.map({ ($0, false) }) {
            let (plain, marked) = (key(feed, on: display), key(feed, on: display) { $0.staleSince = Sample.instant })
            #expect((plain != marked) == differs, "\(display.name)")
        }
        #expect(try key(.nothing, on: passive()) == key(.nothing, on: passive()) { $0.staleSince = Sample.instant })
    }

    @Test func aCycleIsMarkedFromItsTimeOnWithTheLastSuccess() throws {
        var cycle = try Sample.cycle(7).data
        let success = Sample.instant.advanced(byMilliseconds: -7_200_000)
        for (staleAt, since) in [(nil, nil), (1, nil), (0, success), (-1, success)] as [(Int64?, Instant?)] {
            (cycle.lastSuccess, cycle.staleAt) = (success, staleAt.map { Sample.instant.advanced(byMilliseconds: $0) })
            #expect(WidgetMoment(cycle).staleSince == since)
        }
    }

    @Test func aMarkIsNoCertainChange() throws {
        let (content, display) = (Sample.facts, try passive())
        let (reference, frame) = try Sample.frame(content)
        var cycle = try Sample.cycle(7, content: reference, contentSequence: 7, displays: [display], kind: .keyValue)
        cycle.data.lastSuccess = Sample.instant
        cycle.data.staleAt = Sample.instant.advanced(byMilliseconds: 3_600_000)
        #expect(try laidOut(cycle, frame).displays[display.name]?.nextChange == nil)
    }

    @Test func theDayOfAShownMarkIsACertainChange() throws {
        var display = try passive()
        display.timeZone = "Europe/Berlin"
        let phone = try Sample.today(.compact) { $0.timeZone = "Europe/Berlin" }
        let (reference, frame) = try Sample.frame(Sample.facts)
        let displays = [display, phone]
        var cycle = try Sample.cycle(7, content: reference, contentSequence: 7, displays: displays, kind: .keyValue)
        cycle.data.lastSuccess = Sample.instant.advanced(byMilliseconds: -7_200_000)
        cycle.data.staleAt = Sample.instant
        let midnight = Instant(year: 2026, month: 11, day: 21, millisecondsOfDay: 23 * 3_600_000)
        let states = try laidOut(cycle, frame).displays
        #expect(states[display.name]?.nextChange == midnight)
        #expect(states[phone.name]?.nextChange == nil)
    }

    // MARK: Days

    @Test(arguments: [
        ("Europe/Berlin", "2026-10-24T12:00:00.000Z", "2026-10-24T22:00:00.000Z"),
        ("Europe/Berlin", "2026-10-25T12:00:00.000Z", "2026-10-25T23:00:00.000Z"),
        ("America/New_York", "2026-03-07T12:00:00.000Z", "2026-03-08T05:00:00.000Z"),
        ("America/New_York", "2026-03-08T12:00:00.000Z", "2026-03-09T04:00:00.000Z"),
        // The clocks of Lebanon skip midnight in spring: the day begins at 01:00, UTC+3.
        ("Asia/Beirut", "2026-03-28T12:00:00.000Z", "2026-03-28T22:00:00.000Z"),
        ("Asia/Kathmandu", "2026-11-21T12:00:00.000Z", "2026-11-21T18:15:00.000Z"),
    ])
    func postsOnPanelsChangeAtMidnightInTheirZone(zone: String, from: String, midnight: String) throws {
        let (instant, expected) = (try #require(Instant(from)), try #require(Instant(midnight)))
        var panel = try passive()
        panel.timeZone = zone
        let phone = try Sample.classic { $0.timeZone = zone }
        for kind in [WidgetKind.feed, .documents, .json] {
            var definition = WidgetDefinition(kind: kind)
            #expect(VisibleChange.next(for: definition, on: [phone, panel], after: instant) == expected)
            #expect(VisibleChange.next(for: definition, on: [phone], after: instant) == nil)
            // The widget's own zone counts more.
            definition.timeZone = "UTC"
            let utc = LocalDays.utc.nextMidnight(after: instant)
            #expect(VisibleChange.next(for: definition, on: [panel], after: instant) == utc)
        }
    }

    @Test func theDayIsAnInputOfPostsOnPanelsAndOfTheDateAboveABoard() throws {
        let tomorrow = Sample.instant.advanced(byMilliseconds: 86_400_000)
        let (feed, facts) = (try shown(Sample.feed(3)), try shown(Sample.facts))
        func differs(_ shown: ShownContent, _ kind: WidgetKind, _ display: Display, isStale: Bool = false) -> Bool {
            let keys = [Sample.instant, tomorrow].map { instant in
                key(shown, on: display) {
                    ($0.definition.kind, $0.instant) = (kind, instant)
                    if isStale { $0.staleSince = Sample.instant }
                }
            }
            return keys[0] != keys[1]
        }
        let place = BoardPlace(id: try #require(BoardID(rawValue: "kitchen")), revision: "0", cell: 0, of: 1)
        #expect(try differs(feed, .feed, passive()))
        #expect(try !differs(feed, .feed, Sample.classic()))
        #expect(try !differs(facts, .keyValue, passive()))
        #expect(try differs(facts, .keyValue, passive(), isStale: true))
        #expect(try differs(facts, .keyValue, passive { $0.cell = BoardCell(place: place, header: .date) }))
        #expect(try !differs(facts, .keyValue, passive { $0.cell = BoardCell(place: place) }))
    }

    // MARK: Causes

    @Test func theCauseOfAFailureIsAnInputOfPanelsWithoutContentOnly() throws {
        let failed = ShownContent.none(isRefreshing: false, attemptFailed: true)
        func differs(_ shown: ShownContent, _ display: Display) -> Bool {
            key(shown, on: display) != key(shown, on: display) { $0.failure = Self.failure }
        }
        #expect(try differs(failed, passive()))
        #expect(try !differs(failed, Sample.classic()))
        #expect(try !differs(shown(Sample.feed(3)), passive()))
        #expect(try !differs(.none(isRefreshing: true, attemptFailed: true), passive()))
        #expect(try !differs(.nothing, passive()))
    }

    @Test func theSameCauseIsTheSameInputWheneverItOccurs() throws {
        var cycle = try Sample.cycle(7, outcome: .failed).data
        func cause(_ message: String, _ status: Int, next: Int64) -> FailureCause? {
            cycle.failure = AttemptFailure(
                class: .permanent,
                message: message,
                explanation: "The page does not exist.",
                status: status,
                nextAttempt: Sample.instant.advanced(byMilliseconds: next)
            )
            return WidgetMoment(cycle).failure
        }
        #expect(cause("https://a.example/1 answered 404", 404, next: 1) == Self.failure)
        #expect(cause("https://a.example/2 answered 404", 404, next: 2) == Self.failure)
        #expect(cause("https://a.example/2 answered 410", 410, next: 2) != Self.failure)
    }

    @Test func onlyPanelsWithoutContentKnowWhetherItIsPushed() throws {
        func differs(_ shown: ShownContent, _ display: Display) -> Bool {
            key(shown, on: display) != key(shown, on: display) { $0.isPushed = true }
        }
        #expect(try differs(.nothing, passive()))
        #expect(try !differs(.nothing, Sample.classic()))
        #expect(try !differs(shown(Sample.feed(3)), passive()))
    }

    // MARK: Names

    @Test func theTitleOfAFeedIsTheDefaultOfItsNameOnPanelsOnly() throws {
        let feed = try shown(Sample.feed(3))
        var moment = Sample.moment()
        #expect(try moment.name(on: passive(), showing: feed) == "Blog")
        #expect(try moment.name(on: passive(), showing: .nothing) == nil)
        #expect(try moment.name(on: Sample.classic(), showing: feed) == nil)
        moment.definition.name = "News"
        #expect(try moment.name(on: passive(), showing: feed) == "News")
        #expect(try moment.name(on: Sample.classic(), showing: feed) == "News")
        let place = BoardPlace(id: try #require(BoardID(rawValue: "kitchen")), revision: "0", cell: 0, of: 1)
        let cell = try passive { $0.cell = BoardCell(place: place, name: "Harbour") }
        #expect(moment.name(on: cell, showing: feed) == "Harbour")
    }

    @Test func anotherTitleOfAFeedChangesNothingOnOtherDisplays() throws {
        let displays = try Sample.displays() + [Sample.home(.systemLarge, 364, 382)]
        for display in displays {
            let digests = try ["Blog", "Renamed", nil].map { title in
                try Sample.drawing(.feed(FeedContent(title: title, items: Sample.items(3))), on: display).digest
            }
            #expect(Set(digests).count == 1, "\(display.name)")
        }
    }

    // MARK: Passive panels

    private func linked(_ link: String) -> Content {
        var items = Sample.items(3)
        for index in items.indices { items[index].link = link + "\(index)" }
        return Sample.posts(items)
    }

    @Test func linksAreNoPartOfAPassivePanel() throws {
        for (display, differs) in try [(passive(), false), (passive { $0.isInteractive = true }, true)] {
            let drawings = try ["https://a.example/", "https://b.example/"].map { link in
                try Sample.drawing(linked(link), on: display) { $0.definition.link = link }
            }
            #expect((drawings[0].digest != drawings[1].digest) == differs)
            #expect((drawings[0].rows != drawings[1].rows) == differs)
            let layout = drawings[0].layout
            #expect(layout.all.contains { $0.action != nil } == differs)
            #expect((layout.link != nil) == differs)
            #expect(LayoutDigest.of(layout, panel: display.panel) == drawings[0].digest)
        }
    }

    @Test func aPressChangesNothingOnAPassivePanel() throws {
        let facts = try shown(Sample.facts)
        let keys = try #require(Sample.facts.keys)
        for (display, differs) in try [(passive(), false), (passive { $0.isInteractive = true }, true)] {
            let pressed = key(facts, on: display) { moment in
                moment.interaction.advance(among: keys)
                moment.interaction.setExpanded(true, on: nil)
                moment.interaction.advance(among: keys, on: display.device)
            }
            #expect((pressed != key(facts, on: display)) == differs)
        }
    }

    // MARK: Places

    @Test func theStateOfACellHasItsPlaceOnTheBoard() throws {
        let place = BoardPlace(id: try #require(BoardID(rawValue: "kitchen")), revision: "0123", cell: 2, of: 5)
        var cell = try passive { $0.cell = BoardCell(place: place) }
        cell.name = try Sample.name("kitchen-c2r1")
        let (reference, frame) = try Sample.frame(Sample.feed(3))
        let phone = try Sample.classic()
        let cycle = try Sample.cycle(7, content: reference, contentSequence: 7, displays: [phone, cell])
        let states = try laidOut(cycle, frame).displays
        #expect(states[cell.name]?.board == place && states[phone.name]?.board == nil)
    }
}
