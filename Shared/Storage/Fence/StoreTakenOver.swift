// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The error of a process that no longer owns its store: the process must neither publish nor reply.
public struct StoreTakenOver: Error, Hashable, CustomStringConvertible {
    /// The path of the database file, or the server's address without a password.
    public var path: String
    /// The service that the store belongs to.
    public var service: String
    /// The token that this process got when it took the store over.
    public var token: Int64
    /// The token of the present owner; 0 if the store has no owner, and nil if the database file was moved or replaced.
    public var owner: Int64?

    public var description: String {
        guard let owner else {
            return
                "\(path) was replaced or removed while this process had it open: further writes would be lost"
        }
        return
            "\(path) now belongs to another process of the \(service) (token \(owner); this process has \(token)): run "
            + "only one active process for each store"
    }
}
