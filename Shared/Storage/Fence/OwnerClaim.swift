// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The claim of a process that it owns a store on a server.
///
/// The claim consists of a token and a timeline. The process got the token when it took the store over. The timeline is
/// that of the server; each promotion of a replica begins a new timeline. The process compares its claim with the store
/// after each reconnection, because the new connection may be to another server.
public struct OwnerClaim: Hashable, Sendable {
    /// The result of comparing a claim with the store.
    public enum Finding: Hashable, Sendable {
        /// The process still owns the store, and the server's timeline is the same or unknown.
        case unchanged
        /// A replica was promoted to primary, so the store may lack the latest commits of the process.
        ///
        /// `known` is the timeline of the claim, and `current` is the timeline of the server, which is later.
        case promoted(known: String, current: String)
        /// The server is a former primary: the process already knows a later timeline.
        ///
        /// `known` is the timeline of the claim, and `current` is the timeline of the server, which is earlier.
        case formerPrimary(known: String, current: String)
        case takenOver
    }

    private let token: Int64
    private let place: String?

    /// Creates a claim of the process that took the store over with `token`.
    ///
    /// `place` is the latest timeline that the process has noticed: that of the takeover, or that of a later promotion.
    /// It is nil if the timeline is unknown.
    public init(token: Int64, place: String?) {
        self.token = token
        self.place = place
    }

    /// Compares the claim with the present state of the store.
    ///
    /// `owner` is the token of the store's owner; nil if the store has no owner. `current` is the server's timeline;
    /// nil if the timeline is unknown.
    public func check(owner: Int64?, place current: String?) -> Finding {
        // The timeline is compared first, because only the latest primary knows who owns the store.
        if let place, let current, current < place { return .formerPrimary(known: place, current: current) }
        guard owner == token else { return .takenOver }
        guard let place, let current, current != place else { return .unchanged }
        return .promoted(known: place, current: current)
    }

    /// Returns the lowest token that a process may get on a timeline.
    ///
    /// The upper 32 bits of a token depend on the timeline. Otherwise, a token could be assigned twice after a
    /// failover: if the new primary lacks the last takeover, it would assign the token of that takeover to another
    /// process.
    public static func firstToken(timeline: UInt32) -> Int64 {
        max(1, (Int64(min(timeline, UInt32(Int32.max))) - 1) << 32)
    }
}
