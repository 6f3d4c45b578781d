// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The claim of a process to a store on a server: the token with which it took the store over, and the server's timeline
/// then.
///
/// A value type without a connection. It is compared with the store after each new connection, because that may lead to
/// another server.
public struct OwnerClaim: Hashable, Sendable {
    /// The result of a comparison.
    public enum Finding: Hashable, Sendable {
        /// The store is as the process has left it.
        case unchanged
        /// A replica was promoted: the store may lack the latest commits of the process.
        case promoted(known: String, current: String)
        /// The server was the primary before a promotion that the process knows of.
        case formerPrimary(known: String, current: String)
        case takenOver
    }

    private let token: Int64
    private let place: String?

    /// Creates a claim; `place` is nil if the server's timeline is unknown.
    public init(token: Int64, place: String?) {
        self.token = token
        self.place = place
    }

    /// Compares the claim with the token of the store's owner, which is nil without an owner, and the timeline of the
    /// server.
    public func check(owner: Int64?, place current: String?) -> Finding {
        // First: only the latest primary knows who owns the store.
        if let place, let current, current < place { return .formerPrimary(known: place, current: current) }
        guard owner == token else { return .takenOver }
        guard let place, let current, current != place else { return .unchanged }
        return .promoted(known: place, current: current)
    }

    /// Returns the lowest token that a process may get on a timeline.
    ///
    /// The timeline counts in the upper half of a token. Otherwise a process that takes the store over after a failover
    /// could get the token of a process that took it over before, if the new primary does not know of that.
    public static func firstToken(timeline: UInt32) -> Int64 {
        max(1, (Int64(min(timeline, UInt32(Int32.max))) - 1) << 32)
    }
}
