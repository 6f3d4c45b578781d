// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine
public import Telemetry
public import WidgetSchema

/// The store of one service, owned by the process that opened it last.
///
/// Each transaction checks the ownership inside the database, so a process that was taken over while it was suspended
/// writes nothing. A store that was replaced by an older one is detected: by another file in its place, by a mark that
/// knows of more commits, by a mark that was copied with it, and on a server by another timeline. It belongs to one
/// thread at a time, as `Database` does.
public final class FencedDatabase {
    private let engine: any StoreEngine
    private let service: String
    private let token: Int64
    private let mark: StoreMark?
    private var log = Logger.discarded
    private var commits: Int64
    /// The file or the timeline that is known to contain the store.
    private var place: String?
    /// The number of the connection on which the ownership was checked.
    private var connection: Int
    /// The lease of this process, which each of its transactions renews.
    public private(set) var lease: StoreLease
    /// A Boolean value that indicates whether the store was replaced by an older one and `acceptRestore` was not called
    /// yet.
    public private(set) var wasRestored: Bool
    private var acceptsRestore = false

    /// Opens the database of a service, creates it if it is missing, and takes it over.
    ///
    /// Throws `StorageError` if the database cannot be used.
    public convenience init(
        _ location: StoreLocation,
        _ schema: StoreSchema,
        opening: StoreOpening = StoreOpening(),
        log: Logger = .discarded
    ) throws {
        switch location {
        case .folder(let folder):
            try self.init(path: folder.database(of: schema.service), schema, opening: opening, log: log)
        case .server(let url):
            let database = try PostgreSQLDatabase(url: url, service: schema.service, migrations: schema.migrations)
            try self.init(database, schema, mark: nil, opening: opening)
            self.log = log
        }
    }

    /// Opens a database file, creates it if it is missing, and takes it over.
    public convenience init(
        path: String,
        _ schema: StoreSchema,
        opening: StoreOpening = StoreOpening(),
        log: Logger = .discarded
    ) throws {
        let database = try Database.open(path: path, migrations: schema.migrations)
        try self.init(database, schema, mark: StoreMark(beside: path), opening: opening)
        self.log = log
    }

    private init(
        _ engine: any StoreEngine,
        _ schema: StoreSchema,
        mark: StoreMark?,
        opening: StoreOpening
    ) throws {
        let service = schema.service
        let begun = ContinuousClock.now
        let place = try engine.place()
        let connection = engine.connections
        let (markedCommits, isMarkCopied) = (mark?.commits ?? 0, mark?.wasCopied ?? false)
        let (owner, wasRestored) = try engine.transaction { transaction in
            for table in OwnerRow.tables + [SchemaSteps.table] { try transaction.enqueue(table) }
            if case .succeeding(let expected) = opening.takeover {
                try transaction.enqueue(OwnerRow.lockStatement, [.text(service)])
                let found = try transaction.query(OwnerRow.stateQuery, [.text(service)], row: OwnerState.init).first
                // Migrations create a row without an owner.
                guard found == expected || expected == nil && found?.hasSigns == false else {
                    throw StoreOwnerChanged(path: engine.name)
                }
            }
            try SchemaSteps.note(schema.migrations, of: service, in: transaction)
            let firstToken = OwnerClaim.firstToken(timeline: engine.timeline(of: place))
            try transaction.enqueue(OwnerRow.takeOverStatement, [.text(service), .integer(firstToken)])
            try transaction.enqueue(OwnerRow.renewStatement, [.text(service)])
            guard let owner = try transaction.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first else {
                throw StorageError(kind: .corrupt, message: "the store has no owner", path: engine.name)
            }
            let isElsewhere = place != nil && owner.place != nil && owner.place != place
            let wasRestored =
                isElsewhere || owner.place == OwnerRow.restoredPlace || markedCommits > owner.commits || isMarkCopied
            // The mark follows the store from here on, so the store itself must remember.
            try Self.note(wasRestored ? OwnerRow.restoredPlace : place, service, in: transaction)
            return (owner, wasRestored)
        }
        self.engine = engine
        self.service = service
        self.mark = mark
        self.place = place
        self.connection = connection
        self.wasRestored = wasRestored
        token = owner.token
        commits = owner.commits
        lease = StoreLease(duration: opening.lease, takenAt: begun)
    }

    /// The path of the database file, or the server's address without user and password.
    public var path: String { engine.name }

    /// The timeline of the store's server and the token of this process; the timeline of a file is 0.
    public var term: Term { Term(timeline: engine.timeline(of: place), token: UInt64(clamping: token)) }

    /// The right to act for the service, as the last commit renewed it.
    public var ownership: Ownership {
        Ownership(term: term, renewalDue: lease.renewalDue, trustedUntil: lease.trustedUntil)
    }

    /// Runs `body` in a transaction of the owner and commits it, which renews the lease.
    ///
    /// Throws `StoreTakenOver` if the store no longer belongs to this process; nothing is written then. Otherwise, it
    /// behaves like `Database.transaction`.
    @discardableResult
    public func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
        acceptsRestore = false
        let begun = ContinuousClock.now
        try connect()
        var result: Result?
        do {
            try engine.transaction { transaction in
                // Before the owner is read: a damaged file has none.
                try checkPlace()
                let owner: [SQLValue] = [.text(service), .integer(token)]
                try transaction.enqueue(OwnerRow.countStatement, owner)
                try transaction.enqueue(OwnerRow.guardStatement, owner)
                result = try body(transaction)
            }
        } catch let error as StorageError {
            try checkPlace()
            if error.kind == .constraint, error.sql == OwnerRow.guardStatement {
                throw takenOver(by: try owner()?.token ?? 0)
            }
            guard error.kind == .disconnected, error.outcome == .unknown, try isNextCommitThere() else { throw error }
        }
        commits += 1
        lease.renew(begunAt: begun)
        mark?.write(commits)
        if acceptsRestore { wasRestored = false }
        guard let result else { throw StorageError(kind: .other, message: "the transaction has no result", path: path) }
        return result
    }

    /// Throws `StoreTakenOver` if the store no longer belongs to this process.
    ///
    /// A process that has nothing to write calls this before it publishes or replies, and before it reads its state. It
    /// renews the lease if that is due.
    public func checkOwnership() throws {
        // Before the owner is read: the file may be damaged, and another one in its place.
        try checkPlace()
        try connect()
        if lease.renewalDue <= .now { try renewLease() }
        let owner = try owner()
        // A connection that was lost meanwhile may have been replaced by one to another server.
        try connect()
        guard let owner, owner.token == token else { throw takenOver(by: owner?.token ?? 0) }
        commits = owner.commits
    }

    /// Records in the transaction that the service has handled a restore; `wasRestored` is false after the commit.
    public func acceptRestore(in transaction: borrowing Transaction) throws {
        try Self.note(place, service, in: transaction)
        acceptsRestore = true
    }

    /// Runs one reading statement outside of a transaction and returns the result of `row` for each row.
    @discardableResult
    public func query<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try engine.query(sql, values, row: row)
    }

    /// Pauses or resumes; while paused, a statement does not wait for another connection's lock.
    public func setPaused(_ paused: Bool) {
        engine.setBusyTimeout(paused ? .zero : Database.defaultBusyTimeout)
    }

    /// Starts to empty the write-ahead log if it has grown large.
    public func maintain() {
        do {
            _ = try engine.checkpointIfNeeded()
        } catch {
            log.warning("The write-ahead log of the store could not be emptied.", error: error)
        }
    }

    /// Releases the store, so that a standby need not wait, and closes it.
    ///
    /// This is the last call.
    public func close() {
        // Whoever could not renew the lease does not wait for its store now.
        if lease.trustedUntil > .now { try? writeLease(OwnerRow.releaseStatement) }
        do {
            try engine.close()
        } catch {
            log.warning("The store was not closed cleanly.", error: error)
        }
    }

    // MARK: Lease

    /// Renews the lease.
    ///
    /// Throws `StoreTakenOver` if the store no longer belongs to this process. A store that cannot be written can still
    /// be read, until a standby takes it over.
    private func renewLease() throws {
        let begun = ContinuousClock.now
        lease.attempt(at: begun)
        do {
            try writeLease(OwnerRow.renewStatement)
            lease.renew(begunAt: begun)
        } catch let error as StorageError {
            log.debug("The lease of the store was not renewed.", error: error)
        }
    }

    private func writeLease(_ statement: String) throws {
        do {
            try engine.hastyTransaction { transaction in
                try checkPlace()
                try transaction.enqueue(OwnerRow.lockStatement, [.text(service)])
                try transaction.enqueue(OwnerRow.guardStatement, [.text(service), .integer(token)])
                try transaction.enqueue(statement, [.text(service)])
            }
        } catch let error as StorageError where error.kind == .constraint && error.sql == OwnerRow.guardStatement {
            throw takenOver(by: try owner()?.token ?? 0)
        }
    }

    // MARK: Ownership

    private func owner() throws -> OwnerRow? {
        try engine.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first
    }

    private func checkPlace() throws {
        guard !engine.hasMoved else { throw takenOver(by: nil) }
    }

    /// Returns the error for a store that another process owns or, without an owner, for one that is missing.
    private func takenOver(by owner: Int64?) -> StoreTakenOver {
        StoreTakenOver(path: path, service: service, token: token, owner: owner)
    }

    private static func note(_ place: String?, _ service: String, in transaction: borrowing Transaction) throws {
        try transaction.enqueue("UPDATE owner SET place = $2 WHERE service = $1", [.text(service), .text(place)])
    }

    // MARK: Servers

    /// Reconnects if the connection was lost, and checks whether the server is still the same.
    private func connect() throws {
        try engine.connect()
        guard engine.connections != connection else { return }
        // After this lock, the last transaction of the former connection has ended.
        let owner = try lockedOwner()
        let current = try engine.place()
        switch OwnerClaim(token: token, place: place).check(owner: owner?.token, place: current) {
        case .unchanged:
            commits = owner?.commits ?? commits
            connection = engine.connections
        case .takenOver: throw takenOver(by: owner?.token ?? 0)
        case .formerPrimary(let known, let current):
            throw StorageError(
                kind: .readOnly,
                message:
                    "the server is on timeline \(current), but the store was on timeline \(known): it is a former primary, "
                    + "which must be stopped",
                path: path
            )
        case .promoted(let known, let current):
            commits = owner?.commits ?? commits
            try noteOtherServer(known: known, current: current)
        }
    }

    /// Notes that the store may lack the latest commits that this process knows of, and throws, so that the state is read
    /// again.
    private func noteOtherServer(known: String, current: String) throws {
        log.warning(
            "Another server has taken over the store.",
            [.path: path, .reason: "timeline \(known) to \(current)"]
        )
        try engine.transaction { try Self.note(OwnerRow.restoredPlace, service, in: $0) }
        place = current
        wasRestored = true
        connection = engine.connections
        throw StorageError(
            kind: .disconnected,
            message: "another server has taken over (timeline \(known) to \(current)): the state is read again",
            path: path
        )
    }

    private func lockedOwner() throws -> OwnerRow? {
        try engine.transaction { transaction in
            try transaction.query(OwnerRow.lockingQuery, [.text(service)], row: OwnerRow.init).first
        }
    }

    /// Returns a Boolean value that indicates whether a commit whose result was lost has succeeded.
    ///
    /// Only this process counts commits under its token, so the number is the batch's own.
    private func isNextCommitThere() throws -> Bool {
        let next = commits + 1
        try connect()
        return commits == next
    }
}
