// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The time for which the owner of a store may rely on its ownership, on its own monotonic clock.
///
/// Each transaction of the owner renews the lease, and so does a renewal when it is idle. A standby takes over when it has
/// seen no renewal for the whole duration on its own clock, so the owner stops to rely on it earlier.
public struct StoreLease: Hashable, Sendable {
    /// The default duration: with a store of 10,000 widgets, a takeover takes at most 5 s.
    public static let defaultDuration: Duration = .seconds(3)
    /// The owner relies on its lease until so long before a standby may take over.
    public static let margin: Duration = .seconds(1)
    /// An idle owner renews its lease this many times in its duration.
    private static let renewals = 3

    /// The time without a renewal after which a standby takes over.
    public let duration: Duration
    private var renewedAt: ContinuousClock.Instant
    private var attemptedAt: ContinuousClock.Instant

    public init(duration: Duration = defaultDuration, takenAt: ContinuousClock.Instant) {
        self.duration = duration
        (renewedAt, attemptedAt) = (takenAt, takenAt)
    }

    /// Renews the lease by a transaction that was begun at this time and is committed.
    public mutating func renew(begunAt: ContinuousClock.Instant) { renewedAt = max(renewedAt, begunAt) }

    /// Notes that a renewal was tried, so that a store that cannot be written is not tried all the time.
    public mutating func attempt(at now: ContinuousClock.Instant) { attemptedAt = max(attemptedAt, now) }

    /// The time at which an idle owner renews the lease.
    public var renewalDue: ContinuousClock.Instant { max(renewedAt, attemptedAt) + duration / Self.renewals }

    /// The time from which the owner asks the store before it acts.
    public var trustedUntil: ContinuousClock.Instant { renewedAt + max(.zero, duration - Self.margin) }
}
