// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The owner of a store as other processes see it; its numbers change while it lives.
public struct OwnerState: Hashable, Sendable {
    public var token: Int64
    /// The number of the owner's transactions.
    public var commits: Int64
    /// The number of renewals without a transaction; negative if the owner has released the store.
    public var renewals: Int64

    public init(token: Int64, commits: Int64, renewals: Int64) {
        self.token = token
        self.commits = commits
        self.renewals = renewals
    }

    /// A Boolean value that indicates whether the owner has shown that it lives; false for an owner of an earlier
    /// version.
    var hasSigns: Bool { commits != 0 || renewals != 0 }

    /// A Boolean value that indicates whether the owner has stopped gracefully.
    public var isReleased: Bool { renewals < 0 }
}

/// The rule for when a standby may take over a store: when its owner has not renewed its lease for the whole duration.
///
/// A value type without clock and store. Only the standby's monotonic clock counts, so clocks of different machines
/// need not agree.
public struct LeaseWatch: Sendable {
    /// The pause between two checks from which on the wait restarts, because the machine may have been suspended
    /// together with that of the owner.
    private static let shortestLongPause: Duration = .seconds(1)

    private let duration: Duration
    private var last: (owner: OwnerState, since: ContinuousClock.Instant)?
    private var lookedAt: ContinuousClock.Instant?

    public init(duration: Duration = StoreLease.defaultDuration) { self.duration = duration }

    /// Takes the owner as it was read between two times, and returns true if the store may be taken over.
    ///
    /// A store without an owner is free.
    public mutating func look(
        _ owner: OwnerState?,
        begunAt: ContinuousClock.Instant,
        endedAt: ContinuousClock.Instant
    ) -> Bool {
        guard let owner, !owner.isReleased else { return true }
        let pause = lookedAt.map { begunAt - $0 } ?? .zero
        lookedAt = endedAt
        if let last, last.owner == owner, pause <= max(Self.shortestLongPause, duration / 2) {
            return begunAt - last.since >= duration
        }
        last = (owner, endedAt)
        return false
    }

    /// Restarts the wait after a failure to read the store, because the owner could not renew its lease either.
    public mutating func lookFailed() { last = nil }
}
