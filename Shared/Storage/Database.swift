// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A SQLite database file.
///
/// A commit is durable when `transaction` returns, but not when `hastyTransaction` does.
///
/// Only one thread may use a database at a time, and calls block that thread. A service therefore opens, uses and
/// closes its database on its own thread, never on Swift's cooperative pool. Statements contain only SQL that both
/// SQLite and PostgreSQL understand, with `$1`, `$2`, … for values.
public final class Database: StoreEngine {
    /// The default maximum time that a statement waits for another connection's lock.
    public static let defaultBusyTimeout: Duration = .seconds(5)
    /// The size of the write-ahead log, in bytes, above which `checkpointIfNeeded` empties it.
    public static let checkpointBytes: Int64 = 32 * 1024 * 1024

    /// The path of the file.
    public let path: String
    private let connection: SQLiteConnection
    private let checkpointer: Checkpointer
    private var isInTransaction = false

    private init(path: String, connection: SQLiteConnection) {
        self.path = path
        self.connection = connection
        checkpointer = Checkpointer(path: path)
    }

    /// Opens an existing file without creating or migrating anything.
    convenience init(opening path: String, busyTimeout: Duration) throws(StorageError) {
        let connection = try SQLiteConnection(path: path, creates: false, busyTimeout: busyTimeout)
        self.init(path: path, connection: connection)
    }

    /// Returns the messages of SQLite's `quick_check`: only `ok` if the file is correct, or else the problems found.
    func integrityReport() throws(StorageError) -> [String] {
        try connection.texts("PRAGMA quick_check")
    }

    /// Sets the maximum time that a statement waits for another connection's lock.
    public func setBusyTimeout(_ timeout: Duration) {
        connection.setBusyTimeout(timeout)
    }

    /// A Boolean value that indicates whether the file at `path` is no longer the open one.
    ///
    /// This is the case if the open file was moved, deleted or replaced. All further writes to it would be lost.
    public var hasMoved: Bool { connection.hasMoved }

    var name: String { path }
    var connections: Int { 1 }

    func connect() {}

    func place() -> String? { StoreMark.inodeNumber(of: path) }

    func timeline(of place: String?) -> UInt32 { 0 }

    func hasTable(_ name: String) throws -> Bool {
        let sql = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = $1"
        return try query(sql, [.text(name)]) { try $0.integer(0) } == [1]
    }

    func hastyTransaction(_ body: (borrowing Transaction) throws -> Void) throws {
        // The next durable commit also syncs the frames of this commit. When SQLite restarts the log, it syncs in any
        // case.
        try connection.setDurableCommits(false)
        do {
            try transaction(body)
        } catch {
            try connection.setDurableCommits(true)
            throw error
        }
        try connection.setDurableCommits(true)
    }

    /// Opens a database and applies the missing migrations; if one of them fails, none is applied.
    ///
    /// A missing database is created, with its folder.
    ///
    /// `migrations` must be numbered 1, 2, 3, … If the database already has a migration with a higher number than the
    /// last of these, a newer program has written it. In this case, the database is not changed, and an error of the
    /// kind `newerSchema` is thrown.
    public static func open(
        path: String,
        migrations: [Migration],
        busyTimeout: Duration = defaultBusyTimeout
    ) throws(StorageError) -> Database {
        precondition(
            migrations.map(\.number) == Array(1..<(migrations.count + 1)),
            "migrations are numbered 1, 2, 3, …"
        )
        try DatabaseFolder.create(for: path)
        let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
        let database = Database(path: path, connection: connection)
        try database.migrate(migrations)
        return database
    }

    /// Returns the number of the last applied migration; 0 if no migration was applied.
    public func schemaVersion() throws(StorageError) -> Int {
        Int(try connection.integer("PRAGMA user_version"))
    }

    /// Runs `body` in a transaction during which no other connection can write, and commits it.
    ///
    /// If `body` throws, everything is rolled back and the error is rethrown. If the commit fails, the error's
    /// `outcome` is `rolledBack` or `unknown`; if it is `unknown`, read the data again. Transactions must not be
    /// nested.
    @discardableResult
    public func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
        precondition(!isInTransaction, "transactions do not nest")
        try connection.execute("BEGIN IMMEDIATE")
        isInTransaction = true
        defer { isInTransaction = false }
        let result: Result
        do {
            // This must be a variable: with a temporary value, the optimizer of Swift 6.3.1 crashes.
            let transaction = Transaction(connection)
            result = try body(transaction)
        } catch {
            rollBack()
            throw error
        }
        try commit()
        return result
    }

    /// Runs one reading statement outside of a transaction and returns the result of `row` for each row.
    @discardableResult
    public func query<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try connection.query(sql, values, row: row)
    }

    /// Starts a checkpoint, which empties the write-ahead log, if the log is larger than `checkpointBytes`.
    ///
    /// Returns true if this call has started a checkpoint. The page cache is then adjusted to the size of the file.
    ///
    /// Another thread empties the log on a separate connection. Transactions are durable even if the log is never
    /// emptied. Pages that a reader still needs stay in the log until the next checkpoint. If the log is too large and
    /// the previous checkpoint failed, this method throws the error of that checkpoint and starts no new one.
    @discardableResult
    public func checkpointIfNeeded() throws(StorageError) -> Bool {
        guard connection.logBytes > Self.checkpointBytes else { return false }
        guard try checkpointer.start() else { return false }
        connection.forgetLogBytes()
        try connection.resizePageCache()
        return true
    }

    /// Waits for a running checkpoint.
    func waitForCheckpoint() {
        checkpointer.wait()
    }

    /// Empties the write-ahead log and closes the file.
    ///
    /// The database must not be used afterwards.
    public func close() throws(StorageError) {
        precondition(!isInTransaction, "a database is closed between transactions")
        checkpointer.close()
        try connection.close()
    }

    /// Runs a statement outside of a transaction, for settings that cannot be changed within one.
    func execute(_ sql: String) throws(StorageError) {
        try connection.execute(sql)
    }

    private func migrate(_ migrations: [Migration]) throws(StorageError) {
        // Usually no migration is missing at a start; then no lock is taken.
        guard try schemaVersion() != migrations.count else { return }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StorageError) {
            try applyMissing(migrations)
        } catch {
            rollBack()
            throw error
        }
        try commit()
    }

    /// Applies the missing migrations in the open transaction.
    private func applyMissing(_ migrations: [Migration]) throws(StorageError) {
        // Another process may have migrated the database before the transaction began.
        let version = try schemaVersion()
        guard version <= migrations.count else {
            throw StorageError.newerSchema(version, known: migrations.count, path: path)
        }
        for migration in migrations.dropFirst(max(version, 0)) {
            try connection.executeAll(migration.sql)
            try connection.execute("PRAGMA user_version = \(migration.number)")
        }
    }

    /// Applies the missing migrations, runs `body`, and then undoes both.
    func rehearse(_ migrations: [Migration], _ body: (borrowing Transaction) throws -> Void) throws {
        precondition(!isInTransaction, "transactions do not nest")
        try connection.execute("BEGIN IMMEDIATE")
        isInTransaction = true
        defer {
            isInTransaction = false
            rollBack()
        }
        try applyMissing(migrations)
        // This must be a variable, as in `transaction`.
        let transaction = Transaction(connection)
        try body(transaction)
    }

    private func commit() throws(StorageError) {
        guard connection.isInTransaction else {
            throw StorageError(
                kind: .transactionEnded,
                message: "a statement failed and rolled the transaction back, so there is nothing to commit",
                path: path,
                outcome: .rolledBack
            )
        }
        do throws(StorageError) {
            try connection.execute("COMMIT")
        } catch {
            rollBack()
            var error = error
            // After a failed sync, the frames may be on disk, so that a recovery after a crash would restore the
            // transaction.
            error.outcome = error.isFromTheDisk || connection.isInTransaction ? .unknown : .rolledBack
            throw error
        }
    }

    /// Rolls back the open transaction, unless SQLite has already ended it.
    private func rollBack() {
        guard connection.isInTransaction else { return }
        // If ROLLBACK fails, the transaction stays open and the next BEGIN reports that.
        _ = try? connection.execute("ROLLBACK")
    }
}
