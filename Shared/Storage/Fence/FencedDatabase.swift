// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

public import ServiceEngine
public import Telemetry
public import WidgetSchema

/// The store of one service, owned by the process that opened it last.
///
/// Each transaction checks the ownership inside the database. So a process writes nothing after another process has
/// taken over the store, even if the first process was suspended and has not noticed the takeover.
///
/// The store also detects when it was replaced by an older copy (see ``wasRestored``). For a file, there are three
/// signs:
///
/// - The identifier of the file differs from the identifier that the database contains.
/// - The number of commits in the database is lower than in the `StoreMark`, a small file beside the database.
/// - The `StoreMark` was copied.
///
/// A store on a server counts as replaced if the timeline of the server has changed.
///
/// Only one thread may use a store at a time, as with `Database`.
public final class FencedDatabase {
    private let engine: any StoreEngine
    private let service: String
    private let token: Int64
    private let mark: StoreMark?
    private let log: Logger
    private var commits: Int64
    /// The identifier of the store's file, or of the timeline of the store's server; nil if it is unknown.
    private var place: String?
    /// The value of `engine.connections` when the server and the owner were last checked.
    ///
    /// If `engine.connections` is higher now, the engine has opened a new connection since then.
    private var connection: Int
    /// The lease of this process; each transaction of this process renews the lease.
    public private(set) var lease: StoreLease
    /// A Boolean value that indicates whether the store was replaced by an older one and `acceptRestore` was not called
    /// yet.
    public private(set) var wasRestored: Bool
    private var acceptsRestore = false

    /// Opens or creates the database of a service, and makes this process its owner as `opening` specifies.
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
            let path = folder.database(of: schema.service)
            let store = OpenStore(
                engine: try Database.open(path: path, migrations: schema.migrations),
                mark: StoreMark(beside: path)
            )
            try self.init(store, schema, opening: opening, log: log)
        case .server(let url):
            let database = try PostgreSQLDatabase(url: url, service: schema.service, migrations: schema.migrations)
            try self.init(OpenStore(engine: database), schema, opening: opening, log: log)
        }
    }

    /// An open database that has no owner yet.
    private struct OpenStore {
        var engine: any StoreEngine
        /// The mark that shows whether the database file was restored; nil for a store on a server.
        var mark: StoreMark?
    }

    private init(_ store: OpenStore, _ schema: StoreSchema, opening: StoreOpening, log: Logger) throws {
        let (engine, mark) = (store.engine, store.mark)
        let service = schema.service
        let begun = ContinuousClock.now
        let place = try engine.place()
        let connection = engine.connections
        let (markedCommits, isMarkCopied) = (mark?.commits ?? 0, mark?.wasCopied ?? false)
        let (owner, wasRestored) = try engine.transaction(endingBlockersAfter: opening.lease, log: log) { transaction in
            for table in OwnerRow.tables + [SchemaSteps.table] { try transaction.enqueue(table) }
            if case .succeeding(let expected) = opening.takeover {
                try transaction.enqueue(OwnerRow.lockStatement, [.text(service)])
                let found = try transaction.query(OwnerRow.stateQuery, [.text(service)], row: OwnerState.init).first
                // A row that a migration has created has no owner yet.
                guard found == expected || expected == nil && found?.hasSigns == false else {
                    throw StoreOwnerChanged(path: engine.name)
                }
            }
            try SchemaSteps.note(schema.migrations, of: service, in: transaction)
            let firstToken = OwnerClaim.firstToken(timeline: engine.timeline(of: place))
            try transaction.enqueue(OwnerRow.takeOverStatement, [.text(service), .integer(firstToken)])
            try transaction.enqueue(OwnerRow.renewStatement, [.text(service)])
            guard let owner = try transaction.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first else {
                throw OwnerRow.missing(service, path: engine.name)
            }
            let isElsewhere = place != nil && owner.place != nil && owner.place != place
            let wasRestored =
                isElsewhere || owner.place == OwnerRow.restoredPlace || markedCommits > owner.commits || isMarkCopied
            // From now on the mark is updated with each commit and no longer shows the restore, so the store itself
            // records it.
            try Self.note(wasRestored ? OwnerRow.restoredPlace : place, service, in: transaction)
            return (owner, wasRestored)
        }
        self.engine = engine
        self.log = log
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

    /// The term of this process, which consists of the timeline of the store's server and the token of this process.
    ///
    /// The timeline of a file is 0.
    public var term: Term { Term(timeline: engine.timeline(of: place), token: UInt64(clamping: token)) }

    /// A Boolean value that indicates whether a failover of the store's server may lose commits: it has replicas, and its
    /// setting `synchronous_standby_names` is empty; false if the server does not answer.
    public var failoverMayLoseCommits: Bool { (try? engine.failoverMayLoseCommits()) ?? false }

    /// The right of this process to act for the service, as of the last renewal of the lease.
    public var ownership: Ownership {
        Ownership(term: term, renewalDue: lease.renewalDue, trustedUntil: lease.trustedUntil)
    }

    /// Runs `body` in a transaction and commits it; the commit renews the lease.
    ///
    /// Throws `StoreTakenOver` and writes nothing if the store no longer belongs to this process. Apart from that, this
    /// method behaves like `Database.transaction`.
    @discardableResult
    public func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
        acceptsRestore = false
        let begun = ContinuousClock.now
        try connect()
        let next = commits + 1
        var result: Result?
        do {
            try engine.transaction { transaction in
                // The place is checked before the owner is read, because a damaged file has no owner.
                try checkPlace()
                try transaction.enqueue(OwnerRow.countStatement, [.text(service), .integer(token)])
                try transaction.enqueue(
                    OwnerRow.guardStatement,
                    [.text(service), .integer(token), .integer(next)]
                )
                result = try body(transaction)
            }
        } catch let error as StorageError {
            try checkPlace()
            if Self.isFenceFailure(error) { throw try fenced() }
            guard error.kind == .disconnected, error.outcome == .unknown, try isNextCommitThere() else { throw error }
        }
        commits = next
        lease.renew(begunAt: begun)
        mark?.write(commits)
        if acceptsRestore { wasRestored = false }
        guard let result else {
            throw StorageError(
                kind: .other,
                message: "internal error: the transaction was committed, but its result is missing",
                path: path
            )
        }
        return result
    }

    /// Throws `StoreTakenOver` if the store no longer belongs to this process.
    ///
    /// A process that has nothing to write calls this before it publishes or replies, and before it reads its state.
    /// The call renews the lease if that is due.
    public func checkOwnership() throws {
        // The place is checked before the owner is read, because the open file may be damaged and replaced by another
        // one.
        try checkPlace()
        try connect()
        if lease.renewalDue <= .now { try renewLease() }
        let owner = try owner()
        // The query may have opened a new connection, and that may be to another server.
        try connect()
        guard let owner, owner.token == token, owner.commits >= commits else { throw try fenced() }
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

    /// Tells the store whether writes are paused: true after a failed commit, and false when commits succeed again.
    ///
    /// While writes are paused, statements do not wait for locks of other connections.
    public func setPaused(_ paused: Bool) {
        engine.setBusyTimeout(paused ? .zero : Database.defaultBusyTimeout)
    }

    /// Starts to empty the write-ahead log if it is larger than `Database.checkpointBytes`.
    ///
    /// Does nothing for a store on a server. Errors are only logged.
    public func maintain() {
        do {
            _ = try engine.checkpointIfNeeded()
        } catch {
            log.warning(
                "The write-ahead log of the store could not be emptied; the service will try again.",
                error: error
            )
        }
    }

    /// Releases the ownership of the store, so that a standby need not wait, and closes the store.
    ///
    /// The store must not be used afterwards.
    public func close() {
        // If the lease could not be renewed, the store may not respond: do not wait for it again.
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
    /// Throws `StoreTakenOver` if the store no longer belongs to this process. Failures to write are only logged: the
    /// store can still be read, until a standby takes it over.
    private func renewLease() throws {
        let begun = ContinuousClock.now
        lease.attempt(at: begun)
        do {
            try writeLease(OwnerRow.renewStatement)
            lease.renew(begunAt: begun)
        } catch let error as StorageError {
            log.debug("This process could not renew its lease on the store.", error: error)
        }
    }

    private func writeLease(_ statement: String) throws {
        do {
            try engine.hastyTransaction { transaction in
                try checkPlace()
                try enqueueFence(in: transaction)
                try transaction.enqueue(statement, [.text(service)])
            }
        } catch let error as StorageError where Self.isFenceFailure(error) {
            throw try fenced()
        }
    }

    /// Locks the service's row, and makes the transaction fail unless the store belongs to this process.
    private func enqueueFence(in transaction: borrowing Transaction) throws {
        try transaction.enqueue(OwnerRow.lockStatement, [.text(service)])
        try transaction.enqueue(OwnerRow.guardStatement, [.text(service), .integer(token), .integer(commits)])
    }

    private static func isFenceFailure(_ error: StorageError) -> Bool {
        error.kind == .constraint && error.sql == OwnerRow.guardStatement
    }

    // MARK: Ownership

    private func owner() throws -> OwnerRow? {
        try engine.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first
    }

    private func checkPlace() throws {
        guard !engine.hasMoved else { throw takenOver(by: nil) }
    }

    /// Returns the error for a store that no longer belongs to this process.
    ///
    /// `owner` is the token of the present owner; 0 if the store has no owner, and nil if the file was moved or
    /// replaced.
    private func takenOver(by owner: Int64?) -> StoreTakenOver {
        StoreTakenOver(path: path, service: service, token: token, owner: owner)
    }

    /// Returns the error for a store whose owner is another process, or that was overwritten with an older copy.
    private func fenced() throws -> StoreTakenOver {
        let owner = try owner()?.token ?? 0
        return takenOver(by: owner == token ? nil : owner)
    }

    private static func note(_ place: String?, _ service: String, in transaction: borrowing Transaction) throws {
        try transaction.enqueue("UPDATE owner SET place = $2 WHERE service = $1", [.text(service), .text(place)])
    }

    // MARK: Servers

    /// Reconnects if the connection was lost, and then checks whether the server and the owner are still the same.
    ///
    /// Throws `StoreTakenOver` if the store no longer belongs to this process, and `StorageError` if the server is on
    /// another timeline than before.
    private func connect() throws {
        try engine.connect()
        // If the engine connects again during the checks, the next call must check the new connection.
        let checked = engine.connections
        guard checked != connection else { return }
        // This waits for the row's lock, so the last transaction of the former connection has ended afterwards.
        let owner = try lockedOwner()
        let current = try engine.place()
        switch OwnerClaim(token: token, place: place).check(owner: owner?.token, place: current) {
        case .unchanged:
            commits = owner?.commits ?? commits
            connection = checked
        case .takenOver: throw takenOver(by: owner?.token ?? 0)
        case .formerPrimary(let known, let current):
            throw StorageError(
                kind: .readOnly,
                message:
                    "the server is on timeline \(current), but the store was on timeline \(known): this server is a "
                    + "former primary; stop it, and connect to the current primary",
                path: path
            )
        case .promoted(let known, let current):
            commits = owner?.commits ?? commits
            try noteOtherServer(known: known, current: current, connection: checked)
        }
    }

    /// Handles a change of the database server, after a replica was promoted to primary.
    ///
    /// `known` is the timeline of the former primary, and `current` is the timeline of the new primary. The new primary
    /// may lack the latest commits of this process. Therefore the store is marked as if it had been restored from a
    /// backup. `connection` is the number of the connection to the new primary. This method always throws:
    /// `StoreTakenOver` if the store no longer belongs to this process, and otherwise an error after which the service
    /// reads its state from the store again.
    private func noteOtherServer(known: String, current: String, connection: Int) throws {
        log.warning(
            "The database has failed over to another PostgreSQL server.",
            [.path: path, .reason: "timeline \(known) to \(current)"]
        )
        do {
            try engine.transaction { transaction in
                try enqueueFence(in: transaction)
                try Self.note(OwnerRow.restoredPlace, service, in: transaction)
            }
        } catch let error as StorageError where Self.isFenceFailure(error) {
            throw try fenced()
        }
        place = current
        wasRestored = true
        self.connection = connection
        throw StorageError(
            kind: .disconnected,
            message:
                "the database has failed over to another PostgreSQL server (timeline \(known) to \(current)); "
                + "the service reads its state from the store again",
            path: path
        )
    }

    private func lockedOwner() throws -> OwnerRow? {
        try engine.transaction { transaction in
            try transaction.query(OwnerRow.lockingQuery, [.text(service)], row: OwnerRow.init).first
        }
    }

    /// Returns a Boolean value that indicates whether a commit has succeeded although its result was lost.
    ///
    /// Only this process increments the number of commits under its token, so an incremented number proves the commit.
    private func isNextCommitThere() throws -> Bool {
        let next = commits + 1
        try connect()
        return commits == next
    }
}
