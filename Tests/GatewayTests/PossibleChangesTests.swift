// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import EventStreams
import ServiceRuntime
import Testing
import WidgetSchema

@testable import Configuration
@testable import Gateway

/// Tests of the possible changes of a board, from which a panel's next wake follows.
@Suite struct PossibleChangesTests {
    private static let text = """
        fetching: {fileDirectory: /tmp}
        boards:
          wall: {model: trmnl-og, layout: one-two, cells: [{widget: news}, {widget: blog}, {widget: shown}]}
        widgets:
          news: {kind: feed, source: 'https://a.example/news'}
          blog: {kind: feed, source: 'https://a.example/blog'}
          shown: {kind: feed, source: 'https://b.example/shown', interval: whenShown}
          notes: {kind: feed, source: push}
          file: {kind: feed, source: {file: a.json}}
        """
    private let world: BoardWorld
    private let now = Instant.now

    init() throws { world = try BoardWorld(Self.text) }

    private func after(_ seconds: Int) -> Instant { now.advanced(by: .seconds(seconds)) }

    private func announce(_ widget: String, _ fetch: PlannedFetch, hosts: [String: Instant] = [:]) throws {
        let id = try #require(WidgetID(rawValue: widget))
        let source = try #require(world.gateway.live.widget(id)?.source?.id)
        let schedule = SourceSchedule(sources: [source: fetch], hosts: hosts, roundMilliseconds: 1_000)
        _ = world.gateway.view.take(schedule, at: now)
    }

    private func changes(_ widgets: String...) throws -> [PanelWake.PossibleChange] {
        let ids = try widgets.map { try #require(WidgetID(rawValue: $0)) }
        return world.gateway.possibleChanges(of: Set(ids), now: now)
    }

    @Test func withoutAPlanAndForPushesAndFilesAnythingMayChangeAtAnyTime() throws {
        #expect(try changes("news") == [.anyTime])
        #expect(try changes("notes", "file", "unknown") == [.anyTime, .anyTime, .anyTime])
    }

    @Test func thePlanAndThePauseOfTheHostAreLowerLimits() throws {
        try announce("news", PlannedFetch(next: after(900), state: .scheduled, host: "a.example"))
        #expect(try changes("news") == [.attempt(after(900))])
        try announce("blog", PlannedFetch(state: .gone, host: "a.example"), hosts: ["a.example": after(3_600)])
        #expect(try changes("blog", "news") == [.never, .attempt(after(3_600))])
        try announce("news", PlannedFetch(state: .running, host: "a.example"))
        #expect(try changes("news") == [.attempt(after(60))])
    }

    @Test func aSourceThatIsFetchedWhenItIsShownCountsFromTheTimeFromWhichItMayBeFetched() throws {
        try announce("shown", PlannedFetch(state: .gone, host: "b.example", whenShown: after(300)))
        #expect(try changes("shown") == [.attempt(after(300))])
        let planned = PlannedFetch(next: after(3_000), state: .scheduled, host: "b.example", whenShown: after(-300))
        try announce("shown", planned)
        #expect(try changes("shown") == [.attempt(now)])
    }
}
