// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Testing
import WidgetSchema

@testable import Cache

/// Pauses that an answer asked for, when its host is not the one that is requested next.
@Suite struct RequestedPauseTests {
    private static let hour: Int64 = 3_600_000
    private let cache = CacheFixture(CacheFixture.plan())

    init() { cache.feed(.start) }

    /// Expects that nothing is due; ends the wait of the request.
    private func expectNothing(_ request: String, _ place: SourceLocation = #_sourceLocation) {
        #expect(cache.lease(request)?.leases.isEmpty ?? true, sourceLocation: place)
        let answers = CacheFixture.leaseAnswers(cache.pass(2_000))
        #expect(answers.allSatisfy { $0.leases.isEmpty }, sourceLocation: place)
    }

    /// Feeds a refusal with a pause of an hour, to which a temporary redirect has led.
    private func refuse(_ lease: Lease, _ failure: AttemptFailure.Class) {
        cache.answer(
            lease,
            Fetched(
                lease: lease.id,
                result: .failed,
                failure: AttemptFailure(class: failure, message: "no"),
                freshness: Freshness(retryAfterSeconds: 3_600),
                answeredBy: "example.net",
                answeredAt: cache.now
            )
        )
    }

    @Test(arguments: [AttemptFailure.Class.rateLimited, .transient], [false, true])
    func noCommandRequestsATargetThatHasAskedForAPause(failure: AttemptFailure.Class, restarts: Bool) throws {
        refuse(try cache.take("r1"), failure)
        let end = cache.now.advanced(byMilliseconds: Self.hour)
        if restarts { cache.restart() }
        for (index, command) in [Command.refresh, .performUpdate, .nextValue].enumerated() {
            cache.pass(60_000)
            cache.command(command, counter: UInt64(index + 1))
            #expect(cache.cycles.last?.data.blockedUntil == end, "\(command)")
            expectNothing("c\(index)")
        }
        cache.now = end
        #expect(cache.lease("r2")?.leases.count == 1)
    }

    @Test func noCommandRequestsAnOriginWhoseLastAnswerWasTheLastOneAllowed() throws {
        let lease = try cache.take("r1")
        let fetched = Fetched(
            lease: lease.id,
            result: .content,
            contents: [ContentReference(parsing: "feed", digest: CacheFixture.digest("a"))],
            freshness: Freshness(retryAfterSeconds: 3_600),
            answeredAt: cache.now
        )
        cache.answer(lease, fetched, contents: ["a"])
        let end = cache.now.advanced(byMilliseconds: Self.hour)
        cache.pass(60_000)
        cache.command(.refresh, counter: 1)
        #expect(cache.cycles.last?.data.blockedUntil == end)
        expectNothing("r2")
        cache.now = end
        #expect(cache.lease("r3")?.leases.count == 1)
    }

    @Test func theConfiguredAddressIsNotRequestedWithinAPauseOfThePresentOne() throws {
        cache.answer(try cache.take("r1"), "a", location: "https://example.net/new")
        cache.pass(24 * Self.hour - 600_000)
        let moved = try cache.take("r2")
        #expect(moved.url == "https://example.net/new")
        cache.answer(moved, .failed, failure: .rateLimited, retryAfter: 3_600)
        let end = cache.now.advanced(byMilliseconds: Self.hour)
        cache.pass(900_000)
        expectNothing("r3")
        cache.now = end
        #expect(try cache.take("r4").url == "https://example.org/0")
    }

    @Test func aPauseKeepsItsLengthWhenTheClockIsSet() throws {
        refuse(try cache.take("r1"), .transient)
        let change = -5 * Self.hour
        cache.now = cache.now.advanced(byMilliseconds: change)
        cache.feed(.clockJumped(change))
        let end = cache.now.advanced(byMilliseconds: Self.hour)
        cache.pass(60_000)
        cache.command(.refresh, counter: 1)
        #expect(cache.cycles.last?.data.blockedUntil == end)
    }

    @Test func aPauseOfAClockAYearAheadLastsNoLongerThanOneThatIsAllowed() throws {
        let present = cache.now
        cache.now = present.advanced(byMilliseconds: 365 * 24 * Self.hour)
        cache.restart()
        refuse(try cache.take("r1"), .transient)
        cache.now = present
        cache.restart()
        let end = try #require(cache.stored.sources.first?.value.notBefore)
        #expect(end <= present.advanced(byMilliseconds: Self.hour))
    }

    @Test func aRecordWithoutAPauseHasNoMemberForIt() throws {
        cache.answer(try cache.take("r1"), "a")
        let record = try #require(cache.stored.sources.first?.value)
        #expect(!String(decoding: try WireJSON.encode(record), as: UTF8.self).contains("notBefore"))
        let row = """
            {"abandonedLeases":0,"contents":{},"failures":0,"nextAttempt":"2026-11-21T00:00:00.000Z","validators":{}}
            """
        let former = try WireJSON.decode(SourceRecord.self, from: Data(row.utf8))
        #expect(former.notBefore == nil && former.plannedInterval == nil)
    }

    @Test func aRecordKeepsItsPauseAndItsIntervalInTheStore() throws {
        refuse(try cache.take("r1"), .transient)
        let record = try #require(cache.stored.sources.first?.value)
        #expect(record.notBefore != nil && record.plannedInterval == Duration.seconds(60))
        #expect(try WireJSON.decode(SourceRecord.self, from: WireJSON.encode(record)) == record)
    }
}
