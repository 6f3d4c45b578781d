// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import WidgetSchema

/// The rule that stops attempts to a server that fails: after several failures in a row, one attempt is made after a pause,
/// and decides whether the others follow.
struct CircuitBreaker: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case closed
        case open(until: Instant)
        /// One attempt is in flight.
        case probing
    }

    private var state = State.closed
    private var failures = 0
    private var pause: Duration = .zero

    /// The time until which no attempt is made; nil if attempts are made.
    var openUntil: Instant? { if case .open(let until) = state { until } else { nil } }
    /// A Boolean value that indicates whether no attempts are made, or only one.
    var isOpen: Bool { state != .closed }

    /// Returns whether an attempt may begin now; the caller begins it then.
    mutating func admit(now: Instant) -> Bool {
        switch state {
        case .closed: return true
        case .probing: return false
        case .open(let until):
            guard until <= now else { return false }
            state = .probing
            return true
        }
    }

    /// Notes that the server answered, whatever it said, except that it fails (5xx).
    mutating func succeeded() { self = CircuitBreaker() }

    /// Notes that the result of an attempt will never be known, because its destination was removed.
    mutating func abandoned() { if state == .probing { state = .open(until: Instant(milliseconds: 0)) } }

    /// Notes that an attempt failed; `random` is a number that chooses the pause.
    mutating func failed(_ limits: DeliveryLimits, random: UInt64, now: Instant) {
        failures += 1
        if state == .closed, failures < limits.failuresUntilOpen { return }
        // The attempts that were in flight when it opened do not make the pause longer.
        if case .open = state { return }
        pause = RetryPause.next(
            after: pause,
            shortest: limits.breakerPause,
            longest: limits.longestPause,
            random: random
        )
        state = .open(until: now.advanced(by: pause))
    }

    mutating func shift(by change: Duration) {
        if case .open(let until) = state { state = .open(until: until.advanced(by: change)) }
    }
}

/// The pause before the next attempt: decorrelated jitter, which keeps those who failed together from coming together.
enum RetryPause {
    /// Returns a pause between `shortest` and three times the previous one, at most `longest`.
    ///
    /// `random` is a number whose bits are equally distributed.
    static func next(after previous: Duration, shortest: Duration, longest: Duration, random: UInt64) -> Duration {
        let low = shortest.wholeMilliseconds
        let high = max(low, min(longest.wholeMilliseconds, max(previous.wholeMilliseconds, low) * 3))
        let span = UInt64(high - low) + 1
        return .milliseconds(low + Int64(random % span))
    }
}
