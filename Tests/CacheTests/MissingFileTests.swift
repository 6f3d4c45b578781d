// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import ServiceEngine
import Testing
import WidgetSchema

@testable import Cache

/// Widgets whose file does not exist.
@Suite struct MissingFileTests {
    private let cache: CacheFixture

    init() {
        var plan = CacheFixture.plan()
        plan.widgets[CacheFixture.widget(0)]?.source = SourceAddress(file: "a.json", below: "/files")
        cache = CacheFixture.started(plan)
    }

    private func missing(_ lease: Lease) -> Fetched {
        Fetched(
            lease: lease.id,
            result: .failed,
            failure: AttemptFailure(class: .transient, message: "the file cannot be read"),
            isMissing: true,
            answeredAt: cache.now
        )
    }

    @Test func aFileThatNeverExistedIsMissingAndNotFailed() throws {
        let lease = try cache.take("r1")
        let cycle = try #require(CacheFixture.cycles(cache.answer(lease, missing(lease))).first)
        #expect(cycle.data.outcome == .fresh)
        #expect(cycle.data.failure == nil)
        #expect(cycle.data.isMissing == true)
        // It is read again at its interval, and not at once.
        #expect(cache.lease("r2") == nil)
        cache.pass(59_000)
        #expect(cache.core.schedule.nextDeadline == cache.now.advanced(by: .seconds(1)))
    }

    @Test func aCycleForAnotherReasonKeepsTheFileMissing() throws {
        let lease = try cache.take("r1")
        cache.answer(lease, missing(lease))
        var plan = cache.plan
        plan.widgets[CacheFixture.widget(0)]?.definition.name = "Notes"
        let cycle = try #require(CacheFixture.cycles(cache.restart(plan)).first)
        #expect(cycle.data.isMissing == true)
    }

    @Test func aFileThatIsRemovedLaterIsAFailureAndItsContentStays() throws {
        cache.answer(try cache.take("r1"), "a")
        cache.feed(.filesChanged(["a.json"]))
        let removed = try cache.take("r2")
        let cycle = try #require(CacheFixture.cycles(cache.answer(removed, missing(removed))).first)
        #expect(cycle.data.outcome == .failed)
        #expect(cycle.data.failure?.class == .transient)
        #expect(cycle.data.isMissing == nil)
        #expect(cycle.data.content != nil)
    }

    @Test func aChangeThatTheStoreRefusedIsReadByTheNextCore() throws {
        cache.answer(try cache.take("r1"), "a")
        #expect(cache.lease("r2") == nil)
        let setup = CacheSetup(plan: cache.plan, nonce: "n9", filesMayHaveChanged: true)
        cache.core = CacheCore(cache.stored, setup: setup, load: 1)
        #expect(cache.feed(.start).effects.contains(.filesScheduled))
        #expect(cache.lease("r3")?.leases.count == 1)
    }

    @Test func aFileThatAppearsBecomesContent() throws {
        let absent = try cache.take("r1")
        cache.answer(absent, missing(absent))
        cache.feed(.filesChanged(["a.json"]))
        let cycle = try #require(CacheFixture.cycles(cache.answer(try cache.take("r2"), "a")).first)
        #expect(cycle.data.outcome == .changed)
        #expect(cycle.data.isMissing == nil)
    }
}
