// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

/// The time of the next attempt to fetch a source, with the reason why it is not earlier.
package struct NextAttempt: Hashable, Sendable {
    /// The rule that determined the time of the next attempt: of all rules that apply, the one with the latest time.
    package enum Reason: Hashable, Sendable {
        /// The next attempt comes after the widget's interval; nothing delays it further.
        case interval
        /// The next attempt is delayed because `Cache-Control` or `Expires` says that the last answer is still fresh.
        case lifetime
        /// The next attempt is delayed because the feed's `ttl` specifies a longer interval than the widget's.
        case timeToLive
        /// The next attempt is delayed because of the update interval of the feed.
        ///
        /// The feed specifies the interval with `sy:updatePeriod` and `sy:updateFrequency`.
        case updateInterval
        /// The next attempt is delayed because the feed excludes the hour or the day at which it would be due.
        ///
        /// The feed excludes hours and days with `skipHours` and `skipDays`.
        case skippedTime
        /// The next attempt is delayed because the origin asked for a pause, or received too many requests.
        ///
        /// The origin asks with the header `Retry-After`, or with rate-limit headers that report an exhausted limit.
        case retryAfter
        /// The next attempt is a retry after a pause; `failures` is the number of consecutive failures.
        case backOff(failures: Int)
        /// The next attempt is delayed by a long pause, because a retry is unlikely to fix the last failure.
        ///
        /// `failures` is the number of consecutive failures.
        case longBackOff(failures: Int)
        /// The origin answered with the status 410 (Gone), so there is no attempt until a user asks for one.
        case gone
    }

    /// The time of the next attempt; nil if there is none until a user asks for one.
    package var at: Instant?
    package var reason: Reason
    /// A Boolean value that indicates whether the origin or the feed asked for a longer wait than the rules allow.
    package var isClamped = false
}

extension NextAttempt.Reason {
    /// The reason as a text for users.
    package var words: String {
        switch self {
        case .interval: "the widget's interval"
        case .lifetime: "the origin says that its answer is fresh until then (Cache-Control, Expires)"
        case .timeToLive: "the feed's ttl"
        case .updateInterval: "the feed's sy:updatePeriod"
        case .skippedTime: "the feed's skipHours and skipDays"
        case .retryAfter: "the origin asked for this pause"
        case .backOff(let failures): "back-off after \(failures) \(failures == 1 ? "failure" : "failures in a row")"
        case .longBackOff(let failures):
            "long back-off, because asking again is not likely to help, after \(failures) "
                + (failures == 1 ? "failure" : "failures in a row")
        case .gone: "410: the address is permanently gone; it is not requested again until a user refreshes the widget"
        }
    }
}
