// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The last confirmation of a widget's content: an answer with it, one that says that it is unchanged, or a push.
struct LastSuccess: Codable, Hashable, Sendable {
    var at: Instant
    /// The time from which ``WidgetPlan/staleAfter`` counts; nil if it is `at`.
    ///
    /// It is later if the origin asked for a longer wait than the interval, such as by `Cache-Control: max-age`: the content
    /// is not stale only because nobody was to ask for it.
    var countsFrom: Instant?

    /// Creates the success of a fetch.
    ///
    /// `nextAttempt` is the planned time of the next one, and `interval` the usual time between two.
    init(at instant: Instant, nextAttempt: Instant? = nil, interval: Duration = .zero) {
        at = instant
        countsFrom = nextAttempt.map { $0.advanced(by: .zero - interval) }.flatMap { $0 > instant ? $0 : nil }
    }

    /// Returns a success that is not in the future, because the clock was set back since; its times move by the same time.
    func clamped(to now: Instant) -> LastSuccess {
        guard at > now else { return self }
        var success = self
        success.countsFrom = countsFrom?.advanced(byMilliseconds: now.milliseconds(since: at))
        success.at = now
        return success
    }
}
