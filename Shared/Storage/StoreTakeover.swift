// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The way in which a process becomes the owner of a store.
public enum StoreTakeover: Hashable, Sendable {
    /// At once, regardless of the present owner.
    case immediate
    /// As a standby, if the owner is still the one that was last seen; nil if there was none.
    case succeeding(OwnerState?)
}

/// The error of a standby that tried to take a store over from a live owner.
public struct StoreOwnerChanged: Error, Hashable, CustomStringConvertible {
    /// The name of the database.
    public var path: String

    public var description: String { "\(path) has got another owner, or its owner has come back" }
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

    /// A Boolean value that indicates whether the process succeeds another one as its standby.
    public var isSuccession: Bool { takeover != .immediate }
}
