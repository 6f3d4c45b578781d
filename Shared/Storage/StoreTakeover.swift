// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The way in which a process becomes the owner of a store.
public enum StoreTakeover: Hashable, Sendable {
    /// At once, regardless of the present owner.
    case immediate
    /// As a standby, if the owner is still in this state, which the standby read last; nil if there was no owner.
    case succeeding(OwnerState?)
}

/// The error of a standby that did not take a store over, because the owner has changed or is alive again.
public struct StoreOwnerChanged: Error, Hashable, CustomStringConvertible {
    /// The path of the database file, or the server's address without a password.
    public var path: String

    public var description: String { "\(path) was not taken over, because its owner has changed or is alive again" }
}

/// The parameters for opening a store.
public struct StoreOpening: Hashable, Sendable {
    public var takeover: StoreTakeover
    /// The time without a renewal after which a standby takes over.
    public var lease: Duration

    public init(takeover: StoreTakeover = .immediate, lease: Duration = StoreLease.defaultDuration) {
        self.takeover = takeover
        self.lease = lease
    }

    /// A Boolean value that indicates whether the process takes the store over as a standby.
    public var isSuccession: Bool { takeover != .immediate }
}
