// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

package import WidgetSchema

/// The time of the next request to a source, with the reason why it is not earlier.
package struct NextCheck: Hashable, Sendable {
    /// The rule that decided the time: of all rules that apply, the one with the latest time.
    package enum Reason: Hashable, Sendable {
        /// The widget's interval.
        case interval
        /// `Cache-Control` or `Expires`.
        case lifetime
        /// The feed's `ttl`.
        case timeToLive
        /// The feed's `sy:updatePeriod` and `sy:updateFrequency`.
        case updateInterval
        /// The feed's `skipHours` and `skipDays`.
        case skippedTime
        /// `Retry-After`, or the rate-limit headers if the limit is exhausted.
        case retryAfter
        /// The pause after consecutive failures; `failures` is their number.
        case backOff(failures: Int)
        /// The long pause after consecutive failures that a retry is unlikely to fix; `failures` is their number.
        case longBackOff(failures: Int)
        /// The status 410 (Gone): no request until a user asks for one.
        case gone
    }

    /// The time of the next request; nil if there is no automatic request.
    package var at: Instant?
    package var reason: Reason
    /// A Boolean value that indicates whether the origin or the feed asked for a longer wait than the rules allow.
    package var isClamped = false

    package init(at: Instant?, reason: Reason, isClamped: Bool = false) {
        self.at = at
        self.reason = reason
        self.isClamped = isClamped
    }
}

extension NextCheck.Reason {
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
