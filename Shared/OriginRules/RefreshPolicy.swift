// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Text
package import WidgetSchema

/// The rules that determine the time of the next attempt to fetch a source.
///
/// Origins and feeds can only lengthen the interval that the user has configured, and only up to a limit.
package struct RefreshPolicy: Hashable, Sendable {
    /// The maximum interval that `Cache-Control` and `Expires` can cause: 5 hours.
    package var maximumLifetime: Duration = .seconds(5 * 3_600)
    /// The maximum interval that a feed's `ttl` or `sy:updatePeriod` can cause: one day.
    ///
    /// This is also the maximum delay that a feed's `skipHours` and `skipDays` can cause.
    package var maximumAdvice: Duration = .seconds(24 * 3_600)
    /// The limit for a feed's update interval: only an interval longer than this limit can delay the next attempt.
    ///
    /// A feed specifies its update interval with `sy:updatePeriod` and `sy:updateFrequency`. Short intervals are not
    /// reliable: every WordPress feed says `hourly`, however often the feed really changes.
    package var usualUpdateInterval: Duration = .seconds(3_600)
    /// The maximum pause after one failure that a retry may fix.
    ///
    /// The pause is the source's ``Intervals/minimumInterval``, but not longer than this maximum. Further consecutive
    /// failures double the pause, up to ``maximumBackOff``.
    package var maximumFirstBackOff: Duration = .seconds(60)
    /// The maximum pause after several consecutive failures, if a retry may fix the last one.
    package var maximumBackOff: Duration = .seconds(4 * 3_600)
    /// The pause after one failure that a retry is unlikely to fix, such as the status 404.
    ///
    /// Further consecutive failures double the pause, up to `maximumLongBackOff`.
    package var firstLongBackOff: Duration = .seconds(3_600)
    package var maximumLongBackOff: Duration = .seconds(24 * 3_600)
    /// The duration for which no requests are sent to a host that received too many requests.
    ///
    /// Applies if the host does not say how long to wait.
    package var defaultHostPause: Duration = .seconds(600)
    /// The minimum wait after a failure whose answer requests a wait; a shorter requested wait is lengthened to this
    /// minimum.
    package var minimumHostPause: Duration = .seconds(1)
    /// The maximum wait after an answer that requests a wait; a longer requested wait is shortened to this maximum.
    package var maximumHostPause: Duration = .seconds(24 * 3_600)

    package init() {}

    /// The properties of a source that, with its last answer and its intervals, determine the time of its next attempt.
    package struct History: Hashable, Sendable {
        /// The number of consecutive failures, including the last answer if that failed.
        package var failures: Int
        /// The hints in the source's last document about when to fetch it again; nil if there are none.
        package var advice: PublisherAdvice?
        /// The seed that makes the pauses of different sources differ.
        package var seed: String
        /// A Boolean value that indicates whether the answer came from another address than the configured one.
        ///
        /// The status 410 (Gone) from another address does not end the requests, because the configured address may
        /// still work.
        package var hasMoved: Bool

        package init(failures: Int, advice: PublisherAdvice?, seed: String, hasMoved: Bool = false) {
            self.failures = failures
            self.advice = advice
            self.seed = seed
            self.hasMoved = hasMoved
        }
    }

    /// The configured intervals between the attempts to fetch a source.
    package struct Intervals: Hashable, Sendable {
        package var interval: Duration
        /// The minimum time between two attempts; it applies to scheduled ones and to the command `performUpdate`.
        ///
        /// After a failure, a retry may come earlier: see ``RefreshPolicy/maximumFirstBackOff``.
        package var minimumInterval: Duration

        /// The time from a successful attempt to the next one, unless the origin asks for a longer time.
        ///
        /// The interval that `ConfigurationDecoder` returns is never shorter than the minimum; those of other callers may be.
        package var regular: Duration { max(interval, minimumInterval) }

        package init(interval: Duration, minimumInterval: Duration) {
            self.interval = interval
            self.minimumInterval = minimumInterval
        }
    }

    /// Returns the time of the next attempt after an answer that came at `now`.
    package func nextAttempt(
        after fetched: Fetched,
        _ history: History,
        _ intervals: Intervals,
        now: Instant
    ) -> NextAttempt {
        guard let failure = fetched.failure else {
            return regularAttempt(after: fetched, history.advice, interval: intervals.regular, now: now)
        }
        if failure.status == 410, !history.hasMoved { return NextAttempt(at: nil, reason: .gone) }
        let pause: Duration
        let reason: NextAttempt.Reason
        switch failure.class {
        case .permanent:
            pause = Self.doubled(firstLongBackOff, history.failures, atMost: maximumLongBackOff)
            reason = .longBackOff(failures: history.failures)
        case .transient, .malformed, .rateLimited:
            pause = Self.doubled(
                min(intervals.minimumInterval, maximumFirstBackOff),
                history.failures,
                atMost: maximumBackOff
            )
            reason = .backOff(failures: history.failures)
        }
        let spread = Self.jitter(pause, "\(history.seed)\(history.failures)")
        let attempt = NextAttempt(at: now.advanced(by: pause + spread), reason: reason)
        let asked = hostPause(after: fetched) ?? fetched.freshness.retryAfterSeconds.map(clamped)
        guard let asked else { return attempt }
        var later = Self.later(attempt, now.advanced(by: asked), .retryAfter)
        later.isClamped = later != attempt && asked == maximumHostPause
        return later
    }

    /// Returns the time for which no requests may be sent to the host after the answer `fetched`.
    ///
    /// Returns nil if the answer does not show that the host received too many requests.
    package func hostPause(after fetched: Fetched) -> Duration? {
        guard fetched.failure?.class == .rateLimited else { return nil }
        return fetched.freshness.retryAfterSeconds.map(clamped) ?? defaultHostPause
    }

    private func regularAttempt(
        after fetched: Fetched,
        _ advice: PublisherAdvice?,
        interval: Duration,
        now: Instant
    ) -> NextAttempt {
        var attempt = NextAttempt(at: now.advanced(by: interval), reason: .interval)
        func atLeast(_ seconds: Int?, atMost limit: Duration, _ reason: NextAttempt.Reason) {
            guard let seconds else { return }
            let asked = Self.duration(seconds)
            let later = Self.later(attempt, now.advanced(by: min(asked, limit)), reason)
            guard later != attempt else { return }
            attempt = later
            attempt.isClamped = asked > limit
        }
        atLeast(fetched.freshness.lifetimeSeconds, atMost: maximumLifetime, .lifetime)
        atLeast(fetched.freshness.retryAfterSeconds, atMost: maximumHostPause, .retryAfter)
        guard let advice else { return attempt }
        atLeast(advice.timeToLiveSeconds, atMost: maximumAdvice, .timeToLive)
        if let seconds = advice.updateIntervalSeconds, Self.duration(seconds) > usualUpdateInterval {
            atLeast(seconds, atMost: maximumAdvice, .updateInterval)
        }
        guard let due = attempt.at, let open = endOfSkippedTime(from: due, advice) else { return attempt }
        let limit = due.advanced(by: maximumAdvice)
        return NextAttempt(at: min(open, limit), reason: .skippedTime, isClamped: open > limit)
    }

    /// Returns the start of the first hour after `due` that the feed does not skip.
    ///
    /// Returns nil if the feed does not skip the hour of `due`, or if it skips all hours.
    private func endOfSkippedTime(from due: Instant, _ advice: PublisherAdvice) -> Instant? {
        func isSkipped(_ hours: Int64) -> Bool {
            // 1970-01-01 was a Thursday, the fourth day of the week.
            let day = Int((hours / 24 + 3) % 7 + 1)
            return advice.skippedHours.contains(Int(hours % 24)) || advice.skippedDays.contains(day)
        }
        let start = due.milliseconds / 3_600_000
        guard start >= 0, isSkipped(start) else { return nil }
        return (1...(7 * 24)).lazy.map { start + Int64($0) }.first { !isSkipped($0) }
            .map { Instant(milliseconds: $0 * 3_600_000) }
    }

    private func clamped(_ seconds: Int) -> Duration {
        min(max(Self.duration(seconds), minimumHostPause), maximumHostPause)
    }

    private static func later(_ attempt: NextAttempt, _ time: Instant, _ reason: NextAttempt.Reason) -> NextAttempt {
        guard let at = attempt.at, time > at else { return attempt }
        return NextAttempt(at: time, reason: reason)
    }

    /// Returns a time to add to a pause: from zero to a tenth of the pause, depending only on the pause and the seed.
    ///
    /// Sources have different seeds, so sources that failed at the same time do not retry at the same time.
    private static func jitter(_ pause: Duration, _ seed: String) -> Duration {
        .milliseconds(pause.wholeMilliseconds / 10 * Int64(StableHash.hash(seed.utf8) % 1000) / 1000)
    }

    /// Returns the pause after `repetitions` consecutive events of one kind, such as failed requests to a source.
    ///
    /// After one event, the pause is `first`. Each further event doubles the pause, up to `limit`.
    package static func doubled(_ first: Duration, _ repetitions: Int, atMost limit: Duration) -> Duration {
        let shift = min(max(repetitions - 1, 0), 32)
        let (value, overflow) = max(first.wholeMilliseconds, 1).multipliedReportingOverflow(by: 1 << shift)
        return overflow ? limit : min(.milliseconds(value), limit)
    }

    private static func duration(_ seconds: Int) -> Duration {
        .seconds(min(max(seconds, 0), 1_000_000_000))
    }
}
