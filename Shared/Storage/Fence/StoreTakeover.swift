// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The way in which a process becomes the owner of a store.
public enum StoreTakeover: Hashable, Sendable {
    /// The process takes the store over at once, regardless of the present owner.
    case immediate
    /// The process takes the store over as a standby, but only if the state of the owner still equals the associated
    /// value.
    ///
    /// The associated value is the state that the standby read last; nil if the store had no owner.
    case succeeding(OwnerState?)
}

/// The error of a standby that did not take a store over, because its owner has changed or is alive again.
public struct StoreOwnerChanged: Error, Hashable, CustomStringConvertible {
    /// The path of the database file, or the server's address without a password.
    public var path: String

    public var description: String { "\(path) was not taken over, because its owner has changed or is alive again" }
}

/// The parameters for opening a store.
public struct StoreOpening: Hashable, Sendable {
    public var takeover: StoreTakeover
    /// The duration of the lease: a standby takes the store over if the lease was not renewed for this time.
    public var lease: Duration

    public init(takeover: StoreTakeover = .immediate, lease: Duration = StoreLease.defaultDuration) {
        self.takeover = takeover
        self.lease = lease
    }

    /// A Boolean value that indicates whether the process takes the store over as a standby.
    public var isSuccession: Bool { takeover != .immediate }
}
