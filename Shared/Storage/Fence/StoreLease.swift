// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The lease of a store: the time for which the store's owner may rely on its ownership.
///
/// Each transaction of the owner renews the lease; an owner without transactions renews it separately. A standby takes
/// over when it has seen no renewal for the whole ``duration`` on its own monotonic clock. The owner stops relying on
/// the lease earlier, after ``duration`` minus ``margin`` on its own monotonic clock.
public struct StoreLease: Hashable, Sendable {
    /// The default duration of a lease.
    ///
    /// In the measurements of `docs/scaling.md`, with 10,000 widgets, a standby was active less than 5 s after the
    /// owner was killed.
    public static let defaultDuration: Duration = .seconds(3)
    /// The safety margin: a standby takes over at least this time after the owner has stopped relying on its lease.
    public static let margin: Duration = .seconds(1)
    /// The number of times that an idle owner renews the lease within the lease's duration.
    private static let renewals = 3

    /// The time without a renewal after which a standby takes over.
    public let duration: Duration
    /// The time between two renewals by an idle owner.
    private let renewalInterval: Duration
    private var renewedAt: ContinuousClock.Instant
    private var attemptedAt: ContinuousClock.Instant

    public init(duration: Duration = defaultDuration, takenAt: ContinuousClock.Instant) {
        self.duration = duration
        renewalInterval = duration / Self.renewals
        (renewedAt, attemptedAt) = (takenAt, takenAt)
    }

    /// Records a renewal by a committed transaction that began at `begunAt`.
    public mutating func renew(begunAt: ContinuousClock.Instant) { renewedAt = max(renewedAt, begunAt) }

    /// Records an attempt to renew, so that failed attempts are not repeated without a pause.
    public mutating func attempt(at now: ContinuousClock.Instant) { attemptedAt = max(attemptedAt, now) }

    /// The time at which an idle owner renews the lease.
    public var renewalDue: ContinuousClock.Instant { max(renewedAt, attemptedAt) + renewalInterval }

    /// The time until which the owner may act without a query that confirms the ownership.
    public var trustedUntil: ContinuousClock.Instant { renewedAt + max(.zero, duration - Self.margin) }
}
