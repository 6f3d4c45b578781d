// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

/// More widgets than one batch takes.
@Suite struct SlicedStartTests {
    private static let count = 9
    private let cache = CacheFixture(
        CacheFixture.plan((0..<count).map { "https://\($0).example.org/" }) { $0.reconciledAtOnce = 2 }
    )

    private func causes(_ step: CacheStep) -> [String] {
        CacheFixture.cycles(step).map { "\($0.widget?.rawValue ?? "?") \($0.data.cause)" }
    }

    @Test func eachBatchBeginsSomeWidgetsUntilAllHaveBegun() {
        #expect(causes(cache.core.handle(.start, now: cache.now)) == ["w0 start", "w1 start"])
        var begun = 2
        while begun < Self.count {
            #expect(cache.core.nextDue.map { $0 <= cache.now } == true, "the next batch waits for nothing")
            let next = causes(cache.core.handle(.tick, now: cache.now))
            #expect(next == (begun..<min(begun + 2, Self.count)).map { "w\($0) start" })
            begun += next.count
        }
        #expect(cache.core.nextDue.map { $0 > cache.now } == true)
        #expect(causes(cache.core.handle(.tick, now: cache.now)).isEmpty)
    }

    @Test func whoAsksForAWidgetFindsItBegun() {
        cache.feed(.start)
        let last = CacheFixture.widget(8)
        let request = CommandRequest(client: "c", counter: 1, widget: last, command: .setExpanded(true))
        let step = cache.core.handle(.command(1, deadlineMilliseconds: 1000, request), now: cache.now)
        #expect(causes(step) == ["w8 start", "w8 interaction"])
    }

    @Test func whatDiesBetweenTwoBatchesIsDoneByTheNextStart() {
        cache.feed(.start)
        cache.restart()
        while cache.stored.widgets.count < Self.count { cache.pass(1) }
        #expect(cache.stored.widgets.values.allSatisfy { $0.head != .zero })
        #expect(cache.stored.sources.count == Self.count)
        let starts = cache.cycles.filter { $0.data.cause == .start }
        #expect(starts.count == Self.count, "each begins once")
    }

    @Test func aWidgetThatIsTakenOutBeforeItsTurnHasNoCycle() {
        cache.feed(.start)
        var plan = cache.plan
        plan.widgets = [:]
        cache.feed(.configure(plan))
        cache.feed(.tick)
        cache.feed(.tick)
        #expect(Set(cache.cycles.compactMap(\.widget?.rawValue)) == ["w0", "w1", "w2", "w3"])
        #expect(cache.cycles.filter { $0.data.cause == .removed }.count == 4)
        #expect(cache.stored.sources.isEmpty)
    }

    @Test func widgetsOfOneSourceAreFetchedOnceWhicheverBatchTheyCameIn() throws {
        let urls = (0..<6).map { _ in "https://example.org/shared" }
        let cache = CacheFixture.started(CacheFixture.plan(urls) { $0.reconciledAtOnce = 1 })
        let lease = try cache.take("f-1")
        #expect(cache.lease("f-2") == nil)
        cache.answer(lease, "content")
        for _ in 0..<6 { cache.feed(.tick) }
        #expect(cache.stored.widgets.count == 6)
        #expect(cache.stored.widgets.values.allSatisfy { $0.content != nil })
        #expect(cache.core.sources.inOrder.map(\.value.widgets.count) == [6])
    }
}
