// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The repeated check with which a standby finds out whether it may take over a service's store.
///
/// The watch only reads the store. Only one thread may use an `OwnerWatch` at a time; reading blocks that thread.
public final class OwnerWatch {
    private let location: StoreLocation
    private let service: String
    private let lease: Duration
    private var watch: LeaseWatch
    private var engine: (any StoreEngine)?
    /// The state of the owner that the last check found; nil if the store had no owner.
    private var owner: OwnerState?

    /// Creates a watch for the store of `service` at `location`.
    ///
    /// `lease` is the duration of the owner's lease: the store may be taken over if the owner has not renewed its lease
    /// for this time. If `lease` is nil, the duration is `StoreLease.defaultDuration`.
    public init(_ location: StoreLocation, service: String, lease: Duration? = nil) {
        let lease = lease ?? StoreLease.defaultDuration
        self.location = location
        self.service = service
        self.lease = lease
        watch = LeaseWatch(duration: lease)
    }

    /// The takeover to perform after `isStoreFree` has returned true.
    ///
    /// The takeover fails if the owner's state has changed since that call.
    var takeover: StoreTakeover { .succeeding(owner) }

    /// Returns the parameters for opening the store.
    ///
    /// If `waits` is true, the process is a standby: it takes the store over only if the owner is still in the state
    /// that the last check found. Otherwise, it takes the store over at once.
    public func opening(waits: Bool) -> StoreOpening {
        StoreOpening(takeover: waits ? takeover : .immediate, lease: lease)
    }

    /// Reads the state of the owner, and returns true if the store may be taken over.
    ///
    /// Throws `StorageError` if the store cannot be read. In this case, the standby must again wait for a whole lease
    /// duration.
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
