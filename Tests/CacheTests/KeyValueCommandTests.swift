// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

/// Which of a widget's facts is shown, and what moves it on.
@Suite struct KeyValueCommandTests {
    private let cache = CacheFixture(CacheFixture.plan(kind: .keyValue))
    private let widget = CacheFixture.widget(0)

    init() { cache.feed(.start) }

    private var position: UInt32? { cache.core.state.widgets[widget]?.interaction.position }

    private func fill(_ text: String = "a") throws {
        cache.answer(try cache.take("fill-\(text)"), text, parsing: "keyValue")
    }

    @Test func nextValueMovesOnByOneWithoutARequest() throws {
        try fill()
        cache.pass(20_000)
        let cycles = CacheFixture.cycles(cache.command(.nextValue, counter: 1))
        #expect(cycles.map(\.data.cause) == [.interaction])
        #expect(cycles.map(\.data.outcome) == [.fresh])
        #expect(cycles.map(\.data.interaction.position) == [1])
        #expect(cache.lease("r") == nil)
    }

    @Test func theSameNextValueTwiceMovesOnOnce() throws {
        try fill()
        let first = CacheFixture.cycleAnswers(cache.command(.nextValue, counter: 1))
        cache.restart()
        #expect(CacheFixture.cycleAnswers(cache.command(.nextValue, counter: 1)) == first)
        #expect(position == 1)
    }

    @Test func nextValueBeforeThereIsAnyAsksForSome() throws {
        cache.answer(try cache.take("first"), .failed, failure: .transient)
        cache.pass(16_000)
        let step = cache.command(.nextValue, counter: 1)
        #expect(CacheFixture.cycles(step).map(\.data.isRefreshing) == [true])
        #expect(CacheFixture.cycles(step).map(\.data.interaction.position) == [0])
        #expect(CacheFixture.cycleAnswers(step).count == 1)
        let next = try cache.take("second")
        let refreshed = CacheFixture.cycles(cache.answer(next, "a", parsing: "keyValue"))
        #expect(refreshed.map(\.data.isRefreshing) == [nil])
        #expect(refreshed.map(\.data.interaction.position) == [0])
    }

    @Test func afterAFailureNothingIsBeingRefreshed() throws {
        cache.command(.nextValue, counter: 1)
        let lease = try cache.take("first")
        let failed = CacheFixture.cycles(cache.answer(lease, .failed, failure: .transient))
        #expect(failed.map(\.data.isRefreshing) == [nil])
    }

    @Test func performUpdateMovesOnWithItsFetchButNotWithinTheMinimumInterval() throws {
        try fill()
        let fresh = CacheFixture.cycles(cache.command(.performUpdate, counter: 1))
        #expect(fresh.map(\.data.outcome) == [.fresh])
        #expect(position == 0)
        cache.pass(11_000)
        cache.command(.performUpdate, counter: 2)
        #expect(position == 0)
        cache.restart()
        let lease = try cache.take("r")
        let cycles = CacheFixture.cycles(cache.answer(lease, .notModified))
        #expect(cycles.map(\.data.interaction.position) == [1])
        cache.command(.performUpdate, counter: 3)
        #expect(position == 1)
    }

    @Test func performUpdateMovesOnOnceInAMinimumIntervalAlsoWithoutFetches() throws {
        cache.answer(try cache.take("first"), "a", parsing: "keyValue")
        cache.pass(60_000)
        cache.answer(try cache.take("second"), .failed, failure: .rateLimited, retryAfter: 3600)
        var positions: [UInt32?] = []
        for (counter, pause) in [(1, 1000), (2, 10_000), (3, 1000), (4, 1000), (5, 10_000)] as [(UInt64, Int64)] {
            cache.pass(pause)
            if counter == 4 { cache.restart() }
            #expect(CacheFixture.cycles(cache.command(.performUpdate, counter: counter)).count == 1)
            positions.append(position)
        }
        #expect(positions == [0, 1, 1, 1, 2])
    }

    @Test func performUpdateWithADisplayMovesThatDisplayOnEachTime() throws {
        let (wall, phone) = (try #require(DisplayName(rawValue: "wall")), try #require(DisplayName(rawValue: "phone")))
        var plan = CacheFixture.plan(kind: .keyValue)
        plan.widgets[widget]?.displays.append(CacheFixture.display("wall"))
        cache.restart(plan)
        try fill()
        func position(_ display: DisplayName) -> UInt32? {
            cache.core.state.widgets[widget]?.interaction.displays?[display]?.position
        }
        for counter in 1...2 as ClosedRange<UInt64> {
            cache.command(.performUpdate, counter: counter, display: wall)
            #expect(position(wall) == UInt32(counter))
        }
        #expect(self.position == 0)
        cache.pass(11_000)
        // With a fetch, the displays move on with its outcome; each once, however many asked.
        cache.command(.performUpdate, counter: 3, display: wall)
        cache.command(.performUpdate, counter: 4, display: phone)
        cache.command(.performUpdate, counter: 5, display: phone)
        #expect(position(wall) == 2)
        cache.restart(plan)
        cache.answer(try cache.take("r"), .notModified)
        #expect((position(wall), position(phone), self.position) == (3, 1, 0))
        cache.pass(60_000)
        cache.answer(try cache.take("s"), .notModified)
        #expect((position(wall), position(phone), self.position) == (3, 1, 0))
    }

    @Test func aScheduledRefreshStaysWhereItIs() throws {
        try fill()
        cache.command(.nextValue, counter: 1)
        cache.pass(70_000)
        try fill("b")
        #expect(position == 1)
    }

    // MARK: Keys

    private func fill(_ request: String, keys: [String]) throws -> [Event<Refreshed>] {
        let pairs = keys.map { KeyValuePair(key: $0, value: "\($0) in \(request)") }
        let bytes = try WireJSON.encode(Content.keyValue(KeyValueContent(pairs: pairs)))
        let lease = try #require(cache.lease(request)?.leases.first)
        return CacheFixture.cycles(cache.answer(lease, String(decoding: bytes, as: UTF8.self), parsing: "keyValue"))
    }

    @Test func aRefreshKeepsTheShownKeyWhenOthersComeAndGo() throws {
        let first = try fill("first", keys: ["city", "country", "ip"])
        let shown = try #require(first.first?.data.interaction.shownKey)
        let next = CacheFixture.cycles(cache.command(.nextValue, counter: 1)).first?.data.interaction.shownKey
        let moved = try #require(next)
        #expect(moved != shown)
        cache.pass(70_000)
        let second = try fill("second", keys: ["area", "asn", moved, "zone"])
        #expect(second.first?.data.interaction.shownKey == moved)
        cache.restart()
        cache.pass(70_000)
        let third = try fill("third", keys: ["asn", "zone"])
        #expect(third.first?.data.interaction.shownKey == moved)
    }

    @Test func aNamedDisplayMovesOnAlone() throws {
        let wall = try #require(DisplayName(rawValue: "wall"))
        var plan = CacheFixture.plan(kind: .keyValue)
        plan.widgets[widget]?.displays.append(CacheFixture.display("wall"))
        cache.restart(plan)
        let shown = try fill("first", keys: ["city", "country", "ip"]).first?.data.interaction.shownKey
        let state = try #require(
            CacheFixture.cycles(cache.command(.nextValue, counter: 1, display: wall)).first?.data.interaction
        )
        #expect(state.shownKey == shown)
        #expect(state.displays?[wall]?.shownKey != shown)
        let unknown = try #require(DisplayName(rawValue: "hall"))
        #expect(CacheFixture.errors(cache.command(.nextValue, counter: 2, display: unknown)) == [.notFound])
        #expect(CacheFixture.errors(cache.command(.refresh, counter: 3, display: unknown)) == [.notFound])
        #expect(CacheFixture.errors(cache.command(.performUpdate, counter: 4, display: unknown)) == [.notFound])
        cache.restart()
        #expect(cache.core.state.widgets[widget]?.interaction == state)
    }

    // MARK: Presses that are refused

    /// Returns a started cache whose host is asked for one of two sources at a time.
    private func twoSourcesOfAHost() -> CacheFixture {
        let urls = ["https://example.org/0", "https://example.org/1"]
        return .started(CacheFixture.plan(urls, kind: .keyValue) { $0.hostConcurrency = 1 })
    }

    @Test func aPressThatTheHostsBlockRefusesDoesNotRefresh() throws {
        cache.answer(try cache.take("first"), .failed, failure: .rateLimited, retryAfter: 3600)
        cache.pass(60_000)
        let cycles = CacheFixture.cycles(cache.command(.nextValue, counter: 1))
        #expect(cycles.map(\.data.isRefreshing) == [nil])
        #expect(cycles.map(\.data.failure?.class) == [.rateLimited])
    }

    @Test func aBlockByAnotherSourceOfTheHostEndsRefreshing() throws {
        let two = twoSourcesOfAHost()
        // One source of the host is in flight; the other one waits for its turn.
        let lease = try two.take("first")
        let (asked, waiting) = lease.source == two.core.plan.widgets[widget]?.source.id ? (0, 1) : (1, 0)
        let pressed = CacheFixture.widget(waiting)
        let press = two.command(.nextValue, counter: 1, on: pressed)
        #expect(CacheFixture.cycles(press).map(\.data.isRefreshing) == [true])
        let cycles = CacheFixture.cycles(two.answer(lease, .failed, failure: .rateLimited, retryAfter: 3600))
        #expect(Set(cycles.compactMap(\.widget)) == [pressed, CacheFixture.widget(asked)])
        #expect(cycles.allSatisfy { $0.data.isRefreshing == nil })
        #expect(cycles.first { $0.widget == pressed }?.data.cause == .interaction)
    }

    @Test func aFetchThatTheHostsBlockEndsEndsRefreshing() throws {
        let urls = ["https://example.org/0", "https://example.org/1"]
        let two = CacheFixture.started(CacheFixture.plan(urls, kind: .keyValue) { $0.hostConcurrency = 2 })
        let leases = try #require(two.lease("f-1")?.leases)
        let pressed = try #require(leases.first { $0.source == two.core.plan.widgets[widget]?.source.id })
        let other = try #require(leases.first { $0 != pressed })
        two.command(.nextValue, counter: 1)
        two.answer(other, .failed, failure: .rateLimited, retryAfter: 3600)
        #expect(two.stored.widgets[widget]?.isRefreshing == true, "the outcome of the fetch may still arrive")
        _ = two.lease("f-2", slots: 0, givenBack: [pressed.id])
        #expect(two.stored.widgets[widget]?.isRefreshing == false)
        #expect(two.cycles.last?.widget == widget)
        #expect(two.cycles.last?.data.isRefreshing == nil)
    }

    @Test func aBlockThatARestartFindsAgainEndsRefreshingOnce() throws {
        let two = twoSourcesOfAHost()
        let lease = try two.take("first")
        let waiting = lease.source == two.core.plan.widgets[widget]?.source.id ? 1 : 0
        two.command(.nextValue, counter: 1, on: CacheFixture.widget(waiting))
        two.restart()
        let cycles = CacheFixture.cycles(two.answer(lease, .failed, failure: .rateLimited, retryAfter: 3600))
        #expect(cycles.filter { $0.widget == CacheFixture.widget(waiting) }.map(\.data.isRefreshing) == [nil])
    }

    @Test func aPressWithin15SecondsOfTheLastAttemptDoesNotRefresh() throws {
        cache.answer(try cache.take("first"), .failed, failure: .transient)
        cache.pass(14_000)
        #expect(CacheFixture.cycles(cache.command(.nextValue, counter: 1)).map(\.data.isRefreshing) == [nil])
    }

    @Test func aPressWhileARequestIsInFlightRefreshes() throws {
        let lease = try cache.take("first")
        #expect(CacheFixture.cycles(cache.command(.nextValue, counter: 1)).map(\.data.isRefreshing) == [true])
        let failed = CacheFixture.cycles(cache.answer(lease, .failed, failure: .transient))
        #expect(failed.map(\.data.isRefreshing) == [nil])
    }

    @Test func performUpdateOfAnotherKindMovesNothingOn() throws {
        let feed = CacheFixture.started(CacheFixture.plan())
        feed.answer(try feed.take("r1"), "a")
        feed.command(.performUpdate, counter: 1)
        #expect(feed.core.state.widgets[widget]?.interaction.position == 0)
    }

    @Test func widgetsHaveOrdersOfTheirOwnThatSurviveARestart() throws {
        let two = twoSourcesOfAHost()
        let seeds = [0, 1].map { two.core.state.widgets[CacheFixture.widget($0)]?.interaction.seed }
        #expect(seeds[0] != seeds[1])
        two.restart()
        #expect([0, 1].map { two.core.state.widgets[CacheFixture.widget($0)]?.interaction.seed } == seeds)
    }
}
