// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A standby's view of the owner of a service's store, which it reads without changing anything.
///
/// It belongs to one thread at a time and blocks it while it reads.
public final class OwnerWatch {
    private let location: StoreLocation
    private let service: String
    private let lease: Duration
    private var watch: LeaseWatch
    private var engine: (any StoreEngine)?
    /// The owner as of the last check.
    private var owner: OwnerState?

    /// Creates a watch; `lease` is nil for the default duration.
    public init(_ location: StoreLocation, service: String, lease: Duration? = nil) {
        let lease = lease ?? StoreLease.defaultDuration
        self.location = location
        self.service = service
        self.lease = lease
        watch = LeaseWatch(duration: lease)
    }

    /// The takeover that is allowed after `isStoreFree` has returned true.
    var takeover: StoreTakeover { .succeeding(owner) }

    /// Returns the takeover and the lease with which to open the store, for a standby that waited or for another process.
    public func opening(waits: Bool) -> StoreOpening {
        StoreOpening(takeover: waits ? takeover : .immediate, lease: lease)
    }

    /// Reads the owner, and returns true if the store may be taken over.
    ///
    /// Throws `StorageError` if the store cannot be read; the wait restarts then.
    public func isStoreFree() throws -> Bool {
        let begun = ContinuousClock.now
        do {
            owner = try readOwner()
        } catch {
            watch.lookFailed()
            close()
            throw error
        }
        return watch.look(owner, begunAt: begun, endedAt: .now)
    }

    /// Closes the connection; the next check opens another one.
    public func close() {
        try? engine?.close()
        engine = nil
    }

    private func readOwner() throws -> OwnerState? {
        if engine?.hasMoved == true { close() }
        if engine == nil { engine = try open() }
        // The store of an earlier version has no owner that could be watched.
        guard let engine, try engine.hasTable(SchemaSteps.name), try engine.hasTable(OwnerRow.table) else { return nil }
        let renews = try engine.hasTable(OwnerRow.leaseTable)
        let sql = renews ? OwnerRow.stateQuery : OwnerRow.stateQueryWithoutLease
        return try engine.query(sql, [.text(service)], row: OwnerState.init).first
    }

    private func open() throws -> (any StoreEngine)? {
        switch location {
        case .folder(let folder):
            guard folder.holds(service) else { return nil }
            return try Database.open(existing: folder.database(of: service))
        case .server(let url): return try PostgreSQLDatabase(existing: url, service: service)
        }
    }
}

extension OwnerState {
    init(_ row: borrowing Row) throws(StorageError) {
        self.init(token: try row.integer(0), commits: try row.integer(1), renewals: try row.integer(2))
    }
}
