// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine

/// A service's store whose rows are in one database.
public protocol DatabaseStore: ServiceStore {
    var database: FencedDatabase { get }
}

extension DatabaseStore {
    public var ownership: Ownership? { database.ownership }
    public var failoverMayLoseCommits: Bool { database.failoverMayLoseCommits }
    public func setPaused(_ paused: Bool) { database.setPaused(paused) }
    public func maintain() { database.maintain() }
    public func close() { database.close() }
}
