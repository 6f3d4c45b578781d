// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Telemetry

/// A database with the operations that `FencedDatabase` needs: a SQLite file, or a service's tables on a PostgreSQL
/// server.
protocol StoreEngine: AnyObject {
    /// The path of the file, or the address of the server without a password.
    var name: String { get }
    /// The number of connections that the engine has opened so far; each new connection may be to another server.
    var connections: Int { get }
    /// A Boolean value that indicates whether the path of the open file now belongs to another file, or to none.
    var hasMoved: Bool { get }

    /// Opens a new connection if the present one is lost.
    func connect() throws(StorageError)

    /// Returns the identifier of the file or of the server's timeline; nil if it is unknown.
    ///
    /// If the store is replaced by a copy, the identifier changes.
    func place() throws(StorageError) -> String?

    /// Returns the timeline that `place` identifies on a server; 0 for a file, or if `place` is nil.
    func timeline(of place: String?) -> UInt32

    func hasTable(_ name: String) throws -> Bool

    /// Runs `body` in a transaction and commits it; the commit need not survive a loss of power.
    ///
    /// A SQLite file is not synced to the disk for this commit. On a server, there is no difference from `transaction`.
    func hastyTransaction(_ body: (borrowing Transaction) throws -> Void) throws

    /// Runs `body` in a transaction and commits it.
    func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result

    /// Runs `body` in a transaction and commits it, and ends other sessions of the service that block the transaction.
    ///
    /// The blocking sessions are ended if `body` still waits for the database after `limit`. A session is ended only if
    /// its transaction has been open for at least `limit`, and if it waits for its client, for example because the
    /// client's process is suspended.
    ///
    /// An engine may use a shorter limit of its own in place of `limit`. The default implementation ends no sessions:
    /// it ignores `limit` and `log`.
    func transaction<Result>(
        endingBlockersAfter limit: Duration,
        log: Logger,
        _ body: (borrowing Transaction) throws -> Result
    ) throws -> Result

    /// Runs one statement that only reads, outside of a transaction, and returns the result of `row` for each row.
    func query<Value>(_ sql: String, _ values: [SQLValue], row: (borrowing Row) throws -> Value) throws -> [Value]

    /// Returns whether a failover of the store's server may lose commits, because its replicas receive them later.
    func failoverMayLoseCommits() throws -> Bool

    func setBusyTimeout(_ timeout: Duration)

    func checkpointIfNeeded() throws(StorageError) -> Bool

    func close() throws(StorageError)
}

extension StoreEngine {
    func failoverMayLoseCommits() throws -> Bool { false }

    func transaction<Result>(
        endingBlockersAfter limit: Duration,
        log: Logger,
        _ body: (borrowing Transaction) throws -> Result
    ) throws -> Result { try transaction(body) }
}
