// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import Telemetry

/// The store of one service, owned by the process that opened it last.
///
/// Each transaction checks the ownership inside the database, so a process that was taken over while it slept writes
/// nothing. A store that is older than the last one here is noticed: by another file in its place, by a mark that knows
/// of more commits, and by a mark that was copied with it.
///
/// It belongs to one thread at a time, as `Database` does.
public final class FencedDatabase {
    private let database: Database
    private let service: String
    private let token: Int64
    private let mark: StoreMark?
    private let log: Logger
    private var commits: Int64
    /// A Boolean value that indicates whether the store is older than the last one here, until `acceptRestore`.
    public private(set) var wasRestored: Bool
    private var acceptsRestore = false

    /// Opens the database of a service, creates it if it is missing, and takes it over.
    ///
    /// Throws `StorageError` if the database cannot be used.
    public init(
        path: String,
        service: String,
        migrations: [Migration],
        log: Logger = .discarded
    ) throws {
        let database = try Database.open(path: path, migrations: migrations)
        let mark = StoreMark(beside: path)
        let place = StoreMark.identity(of: path)
        let (markedCommits, isMarkCopied) = (mark?.commits ?? 0, mark?.wasCopied ?? false)
        let (owner, wasRestored) = try database.transaction { transaction in
            for table in OwnerRow.tables { try transaction.execute(table) }
            try transaction.execute(OwnerRow.takeOverStatement, [.text(service)])
            guard let owner = try transaction.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first else {
                throw StorageError(kind: .corrupt, message: "the store has no owner", path: path)
            }
            let isElsewhere = owner.place != nil && owner.place != place
            let wasRestored = isElsewhere || markedCommits > owner.commits || isMarkCopied
            // The mark follows the store from here on, so the store itself must remember.
            try Self.note(wasRestored ? OwnerRow.restoredPlace : place, service, in: transaction)
            return (owner, wasRestored)
        }
        self.database = database
        self.service = service
        self.mark = mark
        self.log = log
        self.wasRestored = wasRestored
        token = owner.token
        commits = owner.commits
    }

    /// The path of the database file.
    public var path: String { database.path }

    /// Runs `body` in a transaction of the owner and commits it.
    ///
    /// Throws `StoreTakenOver` if the store no longer belongs to this process; nothing is written then. Otherwise as
    /// `Database.transaction`.
    @discardableResult
    public func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
        acceptsRestore = false
        let result: Result
        do {
            result = try database.transaction { transaction in
                // Before the owner is read: a damaged file has none.
                try checkPlace()
                let owner: [SQLValue] = [.text(service), .integer(token)]
                try transaction.execute(OwnerRow.countStatement, owner)
                try transaction.execute(OwnerRow.guardStatement, owner)
                return try body(transaction)
            }
        } catch let error as StorageError {
            try checkPlace()
            guard error.kind == .constraint, error.sql == OwnerRow.guardStatement else { throw error }
            throw takenOver(by: try owner()?.token ?? 0)
        }
        commits += 1
        mark?.write(commits)
        if acceptsRestore { wasRestored = false }
        return result
    }

    /// Throws `StoreTakenOver` if the store no longer belongs to this process.
    ///
    /// A process that has nothing to write calls this before it publishes or replies, and before it reads its state.
    public func checkOwnership() throws {
        // Before the owner is read: the file may be damaged, and another one in its place.
        try checkPlace()
        let owner = try owner()
        guard let owner, owner.token == token else { throw takenOver(by: owner?.token ?? 0) }
        commits = owner.commits
    }

    /// Notes with the transaction that the service has dealt with a restore: `wasRestored` is false once it is committed.
    public func acceptRestore(in transaction: borrowing Transaction) throws {
        try Self.note(StoreMark.identity(of: path), service, in: transaction)
        acceptsRestore = true
    }

    /// Runs one reading statement outside of a transaction and returns what `row` makes of each row.
    @discardableResult
    public func query<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try database.query(sql, values, row: row)
    }

    /// While paused, a statement does not wait for another connection's lock.
    public func setPaused(_ paused: Bool) {
        database.setBusyTimeout(paused ? .zero : Database.defaultBusyTimeout)
    }

    /// Starts to empty the write-ahead log if it has grown large.
    public func maintain() {
        do {
            try database.checkpointIfNeeded()
        } catch {
            log.warning("The store's log could not be emptied.", error: error)
        }
    }

    /// Closes the database; nothing else may be called afterwards.
    public func close() {
        do {
            try database.close()
        } catch {
            log.warning("The store was not closed cleanly.", error: error)
        }
    }

    private func owner() throws -> OwnerRow? {
        try database.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first
    }

    private func checkPlace() throws {
        guard !database.hasMoved else { throw takenOver(by: nil) }
    }

    /// The error for a store that another process owns; without a token, for one that is gone.
    private func takenOver(by owner: Int64?) -> StoreTakenOver {
        StoreTakenOver(path: path, service: service, token: token, owner: owner)
    }

    private static func note(_ place: String?, _ service: String, in transaction: borrowing Transaction) throws {
        try transaction.execute("UPDATE owner SET place = $2 WHERE service = $1", [.text(service), .text(place)])
    }
}
