// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import TestSupport
import Testing
import WidgetSchema

@testable import OriginRules

/// Tests of the time at which a source is fetched again.
@Suite struct RefreshPolicyTests {
    /// Thursday, 20 November 2025, 10:30 UTC.
    private static let now = Instant(milliseconds: 1_763_634_600_000)
    private static let minute: Int64 = 60_000
    private static let hour: Int64 = 3_600_000
    private let rules = RefreshPolicy()

    private func check(
        _ result: Fetched.Result = .content,
        _ failure: AttemptFailure.Class? = nil,
        status: Int? = nil,
        lifetime: Int? = nil,
        retryAfter: Int? = nil,
        advice: PublisherAdvice? = nil,
        failures: Int = 0,
        hasMoved: Bool = false,
        interval: Int64 = 15 * minute,
        minimumInterval: Int64 = 5 * minute
    ) -> NextAttempt {
        var fetched = fetched(failure == nil ? result : .failed, failure, status, retryAfter: retryAfter)
        fetched.freshness.lifetimeSeconds = lifetime
        let (interval, minimum) = (Duration.milliseconds(interval), Duration.milliseconds(minimumInterval))
        return rules.nextAttempt(
            after: fetched,
            RefreshPolicy.History(failures: failures, advice: advice, seed: "s", hasMoved: hasMoved),
            RefreshPolicy.Intervals(interval: interval, minimumInterval: minimum),
            now: Self.now
        )
    }

    private func fetched(
        _ result: Fetched.Result,
        _ failure: AttemptFailure.Class?,
        _ status: Int?,
        retryAfter: Int?
    ) -> Fetched {
        var fetched = Fetched(lease: Lease.sample().id, result: result, answeredAt: Self.now)
        fetched.failure = failure.map { AttemptFailure(class: $0, message: "It failed.", status: status) }
        fetched.freshness.retryAfterSeconds = retryAfter
        return fetched
    }

    /// Milliseconds from now until the attempt.
    private func pause(_ check: NextAttempt) -> Int64? { check.at?.milliseconds(since: Self.now) }

    @Test func withoutAnyWordTheIntervalCounts() {
        #expect(check() == NextAttempt(at: Self.now.advanced(byMilliseconds: 15 * Self.minute), reason: .interval))
        #expect(pause(check(interval: Self.minute)) == 5 * Self.minute)
    }

    @Test(arguments: [
        (60, 15 * minute, false), (3600, hour, false), (86_400, 5 * hour, true), (16 * 365 * 86_400, 5 * hour, true),
        (Int.max, 5 * hour, true), (-5, 15 * minute, false),
    ])
    func whatTheHeadersSayIsALowerBoundOfAtMostFiveHours(_ seconds: Int, _ milliseconds: Int64, _ isClamped: Bool) {
        let check = check(lifetime: seconds)
        #expect(pause(check) == milliseconds)
        #expect(check.isClamped == isClamped)
        #expect(check.reason == (milliseconds == 15 * Self.minute ? .interval : .lifetime))
    }

    @Test(arguments: [
        (PublisherAdvice(timeToLiveSeconds: 7200), 2 * hour, NextAttempt.Reason.timeToLive),
        (PublisherAdvice(timeToLiveSeconds: 300), 15 * minute, .interval),
        (PublisherAdvice(timeToLiveSeconds: 10_000_000), 24 * hour, .timeToLive),
        (PublisherAdvice(updateIntervalSeconds: 3600), 15 * minute, .interval),
        (PublisherAdvice(updateIntervalSeconds: 6 * 3600), 6 * hour, .updateInterval),
        (PublisherAdvice(updateIntervalSeconds: 30 * 86_400), 24 * hour, .updateInterval),
    ])
    func whatAFeedSaysIsALowerBoundOfAtMostADay(
        _ advice: PublisherAdvice,
        _ milliseconds: Int64,
        _ reason: NextAttempt.Reason
    ) {
        #expect(pause(check(advice: advice)) == milliseconds)
        #expect(check(advice: advice).reason == reason)
        // The advice of the last document holds where none came.
        #expect(pause(check(.notModified, advice: advice)) == milliseconds)
    }

    @Test(arguments: [
        // 10:45 is in the eleventh hour; 11:00 is not skipped.
        ([10], [], 30 * minute), ([10, 11, 12], [], 150 * minute), ([11], [], 15 * minute),
        (Array(0...23), [], 15 * minute),
        // Thursday is the fourth day; Friday begins in 13.5 hours.
        ([], [4], 13 * hour + 30 * minute), ([], [1, 7], 15 * minute),
        // All of Friday as well: more than a day is not believed.
        ([], [4, 5], 24 * hour + 15 * minute),
    ])
    func hoursAndDaysThatAFeedSkipsAreWaitedForUpToADay(_ hours: [Int], _ days: [Int], _ milliseconds: Int64) {
        #expect(pause(check(advice: PublisherAdvice(skippedHours: hours, skippedDays: days))) == milliseconds)
    }

    @Test func pausesAfterFailuresDoubleAndNeverEnd() {
        var last: Int64 = 0
        for failures in 1...100 {
            let pause = pause(check(.failed, .transient, failures: failures)) ?? 0
            #expect(pause >= min(last, 4 * Self.hour))
            #expect(pause <= 4 * Self.hour + 4 * Self.hour / 10)
            last = pause
        }
        #expect(last >= 4 * Self.hour)
        let first = pause(check(.failed, .transient, failures: 1)) ?? 0
        #expect((Self.minute...(Self.minute + Self.minute / 10)).contains(first))
    }

    @Test func anAnswerThatAskingAgainWillNotChangeBeginsWithAnHour() throws {
        let first = try #require(pause(check(.failed, .permanent, status: 404, failures: 1)))
        #expect((Self.hour...(Self.hour + Self.hour / 10)).contains(first))
        let tenth = try #require(pause(check(.failed, .permanent, status: 404, failures: 10)))
        #expect((24 * Self.hour...27 * Self.hour).contains(tenth))
    }

    @Test func whatIsGoneIsNotAskedUnlessItHadMovedThere() {
        #expect(check(.failed, .permanent, status: 410, failures: 1) == NextAttempt(at: nil, reason: .gone))
        #expect(check(.failed, .permanent, status: 410, failures: 1, hasMoved: true).at != nil)
    }

    @Test(arguments: [
        (120, 120_000), (nil, 600_000), (10 * 365 * 86_400, 24 * hour), (0, 1000), (Int.max, 24 * hour),
    ])
    func aHostThatHadEnoughIsLeftAloneForAsLongAsItSaysUpToADay(_ seconds: Int?, _ hold: Int64) {
        let fetched = fetched(.failed, .rateLimited, 429, retryAfter: seconds)
        #expect(rules.hostPause(after: fetched) == .milliseconds(hold))
        let check = check(.failed, .rateLimited, status: 429, retryAfter: seconds, failures: 1)
        #expect((pause(check) ?? 0) >= hold)
    }

    @Test func a500WithRetryAfterHoldsItsSourceAndNotItsHost() {
        let check = check(.failed, .transient, status: 500, retryAfter: 900, failures: 1)
        #expect(pause(check) == 900_000)
        #expect(check.reason == .retryAfter)
    }

    @Test func aRateLimitThatIsUsedUpDelaysTheNextCheck() {
        #expect(pause(check(retryAfter: 3600)) == Self.hour)
        #expect(check(retryAfter: 3600).reason == .retryAfter)
    }

    @Test(arguments: [
        ("https://Example.org/a", "example.org"), ("https://example.org:443/", "example.org"),
        ("http://example.org:443/", "example.org:443"), ("http://127.0.0.1:8080/x", "127.0.0.1:8080"),
        ("http://[::1]:80/", "[::1]"), ("file:///etc/passwd", ""), ("no url at all", ""),
    ])
    func aHostIsItsNameAndItsPort(_ url: String, _ host: String) {
        #expect(OriginHost.name(of: url) == host)
    }
}
