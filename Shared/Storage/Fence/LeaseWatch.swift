// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The state of a store's owner, as other processes read it from the store.
///
/// As long as the owner is alive, `commits` or `renewals` keeps changing.
public struct OwnerState: Hashable, Sendable {
    public var token: Int64
    /// The number of transactions that the owners of the store have committed.
    public var commits: Int64
    /// The number of lease renewals that are not counted in `commits`; negative if the store was released.
    ///
    /// A committed transaction also renews the lease, but it increments only `commits`.
    public var renewals: Int64

    /// A Boolean value that indicates whether `commits` or `renewals` is not 0.
    ///
    /// The value is false in two cases. Either a migration has created the row in the table `owner`, and the store has
    /// no owner yet; or the owner runs an earlier version, which counts neither transactions nor renewals.
    var hasSigns: Bool { commits != 0 || renewals != 0 }

    /// A Boolean value that indicates whether the owner has stopped gracefully.
    public var isReleased: Bool { renewals < 0 }
}

/// The rule that allows a standby to take over a store: the owner has not renewed its lease for a whole lease duration.
///
/// `LeaseWatch` uses neither a clock nor a store: the caller passes the times and the state of the owner. All times
/// come from the standby's monotonic clock, so the clocks of different machines need not agree.
public struct LeaseWatch: Sendable {
    /// The maximum pause between two checks of the store, or half the lease duration if that is longer.
    ///
    /// After a longer pause, the wait for a whole lease duration begins again, because this machine and the owner's
    /// machine may have been suspended together.
    private static let minimumPauseLimit: Duration = .seconds(1)

    private let duration: Duration
    private var last: (owner: OwnerState, since: ContinuousClock.Instant)?
    private var lookedAt: ContinuousClock.Instant?

    public init(duration: Duration = StoreLease.defaultDuration) { self.duration = duration }

    /// Records the state of the owner that was read between `begunAt` and `endedAt`, and returns whether a takeover is
    /// allowed.
    ///
    /// `owner` is nil if the store has no owner. In this case, or if the owner has released the store, a takeover is
    /// allowed at once.
    public mutating func look(
        _ owner: OwnerState?,
        begunAt: ContinuousClock.Instant,
        endedAt: ContinuousClock.Instant
    ) -> Bool {
        guard let owner, !owner.isReleased else { return true }
        let pause = lookedAt.map { begunAt - $0 } ?? .zero
        lookedAt = endedAt
        if let last, last.owner == owner, pause <= max(Self.minimumPauseLimit, duration / 2) {
            return begunAt - last.since >= duration
        }
        last = (owner, endedAt)
        return false
    }

    /// Restarts the wait after a failure to read the store, because the owner may also have been unable to renew its
    /// lease.
    public mutating func lookFailed() { last = nil }
}
