// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Telemetry

/// The tables of one service in a PostgreSQL database.
///
/// A transaction is sent in pipeline mode: `enqueue` does not wait for the server, but `execute`, `query` and the
/// commit do. A transaction is committed when the result of its COMMIT has arrived. Only one thread may use the
/// database at a time, and calls block that thread.
final class PostgreSQLDatabase: StoreEngine {
    /// The minimum version of the server, in libpq's form: 130000 for 13.0.
    static let minimumVersion = 130_000
    /// The required encoding of the database.
    static let encoding = "UTF8"
    /// The maximum time for which a statement waits for a lock.
    static let lockTimeout: Duration = .seconds(5)
    /// The maximum time for which a takeover waits for a lock before it ends the session that holds the lock.
    static let blockingLimit: Duration = .seconds(3)
    private static let settings = [
        "SET lock_timeout = '\(lockTimeout.components.seconds)s'",
        // The server counts a session as idle only outside of a pipeline. If a process is suspended within one, a
        // takeover ends its session.
        "SET idle_in_transaction_session_timeout = '10s'",
        // A database may be configured with 'off', and could then lose its last commits in a crash.
        "SET synchronous_commit = 'on'",
        // If the client's host is lost without closing the connection, the session would hold the owner's row for hours.
        "SET tcp_user_timeout = 14000",
        "SET tcp_keepalives_idle = 5",
        "SET tcp_keepalives_interval = 3",
        "SET tcp_keepalives_count = 3",
        // Libpq prints notices to standard error, among the lines of the log.
        "SET client_min_messages = 'warning'",
    ]

    let service: String
    private let address: PostgreSQLAddress
    private var connection: PostgreSQLConnection?
    private(set) var connections = 0

    var name: String { address.name }
    var hasMoved: Bool { false }

    /// Connects to the server and applies the missing migrations to the service's tables.
    ///
    /// `isRestore` is true for a session with a long transaction, which a standby must not end as it ends the session of an
    /// owner that does not respond. It has another application name.
    init(
        url: String,
        service: String,
        migrations: [Migration],
        isRestore: Bool = false
    ) throws(StorageError) {
        self.service = service
        address = try PostgreSQLAddress(url, application: "tidings-\(service)\(isRestore ? "-restore" : "")")
        try prepare(migrations)
    }

    private static let versionTable =
        "CREATE TABLE IF NOT EXISTS schema_version (service TEXT NOT NULL PRIMARY KEY, version BIGINT NOT NULL)"

    /// Connects to the server without creating or migrating anything.
    init(existing url: String, service: String) throws(StorageError) {
        self.service = service
        address = try PostgreSQLAddress(url, application: "tidings-\(service)")
        _ = try connected()
    }

    func transaction<Result>(_ body: (borrowing Transaction) throws -> Result) throws -> Result {
        let connection = try connected()
        do throws(StorageError) {
            try connection.send("BEGIN ISOLATION LEVEL READ COMMITTED")
        } catch {
            throw dropped(error)
        }
        let result: Result
        do {
            // Not a temporary: passed on as one, it crashes the optimizer of Swift 6.3.1.
            let transaction = Transaction(PostgreSQLSession(connection))
            result = try body(transaction)
        } catch {
            rollBack(connection)
            throw error
        }
        try commit(connection)
        return result
    }

    /// Runs `body` in a transaction and commits it, and ends other sessions that block the transaction.
    ///
    /// The sessions are ended if `body` still waits for the server after the duration `limit` or `blockingLimit`,
    /// whichever is shorter. `BlockingSessions` specifies which sessions may be ended.
    func transaction<Result>(
        endingBlockersAfter limit: Duration,
        log: Logger,
        _ body: (borrowing Transaction) throws -> Result
    ) throws -> Result {
        let limit = min(limit, Self.blockingLimit)
        return try transaction { transaction in
            let session = try transaction.query(BlockingSessions.ownSession, row: BlockingSessions.Session.init).first
            guard let session, let connection else { return try body(transaction) }
            connection.setLateAction(after: limit) { [self] in endBlockers(of: session, limit: limit, log) }
            defer { connection.removeLateAction() }
            return try body(transaction)
        }
    }

    private func endBlockers(of session: BlockingSessions.Session, limit: Duration, _ log: Logger) {
        do {
            // The connection of the session is in use, so this is another one.
            let connection = try PostgreSQLConnection(address: address, settings: Self.settings)
            try connection.send(BlockingSessions.endStatement, BlockingSessions.values(session, limit: limit))
            guard let result = try connection.sync(), result.rowCount > 0 else { return }
            log.warning(
                "A database session that held the lock of the store was ended, because its process did not respond.",
                [.path: name, .service: service, .count: Int(result.rowCount)]
            )
        } catch {
            log.warning("The database session that holds the lock of the store could not be ended.", error: error)
        }
    }

    func query<Value>(_ sql: String, _ values: [SQLValue], row: (borrowing Row) throws -> Value) throws -> [Value] {
        let connection = try connected()
        let result: PostgreSQLResult?
        do throws(StorageError) {
            try connection.send(sql, values)
            result = try connection.sync()
        } catch {
            throw dropped(error)
        }
        guard let result else { return [] }
        var rows: [Value] = []
        rows.reserveCapacity(Int(result.rowCount))
        for index in 0..<result.rowCount {
            result.row = index
            rows.append(try row(Row(result)))
        }
        return rows
    }

    /// Returns the server's timeline, read from the name of the current file of the write-ahead log.
    ///
    /// Returns nil if the server does not support this query, or does not permit it. The timeline in the control file
    /// is not used, because it is outdated for some seconds after a failover.
    func place() throws(StorageError) -> String? {
        let sql = "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
        let connection = try connected()
        do throws(StorageError) {
            try connection.send(sql)
            guard let result = try connection.sync(), result.rowCount == 1 else { return nil }
            return try Row(result).text(0)
        } catch {
            // undefined_function, insufficient_privilege, feature_not_supported
            if ["42883", "42501", "0A000"].contains(error.sqlState) { return nil }
            throw dropped(error)
        }
    }

    func failoverMayLoseCommits() throws -> Bool {
        let sql = """
            SELECT current_setting('synchronous_standby_names') = '' AND EXISTS (SELECT FROM pg_stat_replication)
            """
        return try query(sql, []) { try $0.flag(0) } == [true]
    }

    func timeline(of place: String?) -> UInt32 { place.flatMap { UInt32($0, radix: 16) } ?? 0 }

    func hasTable(_ name: String) throws -> Bool {
        try query("SELECT to_regclass($1) IS NOT NULL", [.text(name)]) { try $0.flag(0) } == [true]
    }

    /// Runs `body` in an ordinary transaction, which waits for the commit.
    ///
    /// The wait matters for synchronous replication. After a failover, a commit on the former primary never completes,
    /// because no replica confirms it. Without the wait, a process could still renew its lease on that server.
    func hastyTransaction(_ body: (borrowing Transaction) throws -> Void) throws { try transaction(body) }

    func connect() throws(StorageError) { _ = try connected() }

    func setBusyTimeout(_ timeout: Duration) {}

    func checkpointIfNeeded() -> Bool { false }

    func close() { connection = nil }

    // MARK: Connection

    private func connected() throws(StorageError) -> PostgreSQLConnection {
        if let connection, !connection.isBroken { return connection }
        connection = nil
        let new = try PostgreSQLConnection(address: address, settings: Self.settings)
        if let problem = Self.problem(version: new.serverVersion, encoding: new.serverEncoding) {
            throw StorageError(kind: .unsuitable, message: problem, path: name)
        }
        connections += 1
        connection = new
        return new
    }

    /// Returns the reason why a server is not usable; nil if it is usable.
    static func problem(version: Int, encoding: String) -> String? {
        if version < minimumVersion {
            return
                "the server has PostgreSQL \(version / 10_000), which is too old: use \(minimumVersion / 10_000) or newer"
        }
        guard encoding == Self.encoding else {
            return
                "the database has the encoding \(encoding): create it with ENCODING '\(Self.encoding)' TEMPLATE template0"
        }
        return nil
    }

    /// Drops the connection if it is lost, or if a transaction is still open on it; returns `error` unchanged.
    private func dropped(_ error: StorageError) -> StorageError {
        if connection?.isBroken == true || connection?.isInTransaction == true { connection = nil }
        return error
    }

    // MARK: Transaction

    private func commit(_ connection: PostgreSQLConnection) throws(StorageError) {
        do throws(StorageError) {
            try connection.send("COMMIT")
            let result = try connection.sync()
            // If the transaction has failed, the server reports ROLLBACK as the result of COMMIT, without an error.
            guard result?.command == "COMMIT" else {
                throw StorageError(
                    kind: .transactionEnded,
                    message: "the server rolled the transaction back instead of committing it",
                    path: name,
                    outcome: .rolledBack
                )
            }
        } catch {
            var error = error
            // If the result of COMMIT was lost, the outcome is unknown. If the server reported an error, it has not
            // committed, except after a statement_completion_unknown (40003).
            let isUnknown = connection.isBroken || error.sqlState == "40003"
            error.outcome = isUnknown ? .unknown : .rolledBack
            if !isUnknown, connection.isInTransaction { rollBack(connection) }
            throw dropped(error)
        }
    }

    private func rollBack(_ connection: PostgreSQLConnection) {
        // The pipeline is ended first: until then, the server skips all statements after one that failed.
        if !connection.isBroken { _ = try? connection.sync() }
        if !connection.isBroken, connection.isInTransaction {
            do throws(StorageError) {
                try connection.send("ROLLBACK")
                try connection.sync()
            } catch {
                // The next transaction opens a new connection. When this one is closed, the server rolls the
                // transaction back.
                self.connection = nil
            }
        }
        if connection.isBroken { self.connection = nil }
    }

    // MARK: Migrations

    /// Returns the number of the last applied migration; zero if the service has no tables in this database.
    func schemaVersion() throws -> Int {
        let table = try query("SELECT to_regclass('schema_version') IS NOT NULL", [], row: { try $0.flag(0) })
        guard table == [true] else { return 0 }
        let sql = "SELECT version FROM schema_version WHERE service = $1"
        return try query(sql, [.text(service)], row: { Int(try $0.integer(0)) }).first ?? 0
    }

    /// Brings the tables of the service up to date, and creates those that all services of a database share.
    private func prepare(_ migrations: [Migration]) throws(StorageError) {
        do {
            try migrate(migrations)
            try createSharedTables()
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(kind: .other, message: "\(error)", path: name)
        }
    }

    private func migrate(_ migrations: [Migration]) throws {
        guard try schemaVersion() != migrations.count else { return }
        try create(Self.versionTable)
        try transaction { transaction in
            // This locks the row: if two processes start at the same time, one of them waits for the other.
            try transaction.execute(
                """
                INSERT INTO schema_version (service, version) VALUES ($1, 0)
                ON CONFLICT (service) DO UPDATE SET version = schema_version.version
                """,
                [.text(service)]
            )
            let sql = "SELECT version FROM schema_version WHERE service = $1"
            let version = try transaction.query(sql, [.text(service)]) { Int(try $0.integer(0)) }.first ?? 0
            guard version <= migrations.count else {
                throw StorageError.newerSchema(version, known: migrations.count, path: name)
            }
            for migration in migrations.dropFirst(version) {
                for statement in migration.postgreSQL { try transaction.execute(statement) }
            }
            try transaction.execute(
                "UPDATE schema_version SET version = $2 WHERE service = $1",
                [.text(service), .integer(Int64(migrations.count))]
            )
        }
    }

    private func createSharedTables() throws {
        guard try !hasTable(SchemaSteps.name) else { return }
        for table in OwnerRow.tables + [SchemaSteps.table] { try create(table) }
    }

    /// Creates a table in a transaction of its own, unless it exists.
    private func create(_ table: String) throws {
        do {
            _ = try transaction { try $0.execute(table) }
        } catch let error as StorageError where ["23505", "42710", "42P07"].contains(error.sqlState) {
            // Another process has created the table at the same time, which `IF NOT EXISTS` does not see.
        }
    }
}

/// The session of one transaction, which runs its statements on a PostgreSQL connection.
final class PostgreSQLSession: SQLSession {
    private let connection: PostgreSQLConnection

    init(_ connection: PostgreSQLConnection) { self.connection = connection }

    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int {
        try connection.run(sql, values).changedRows
    }

    func enqueue(_ sql: String, _ values: [SQLValue]) throws(StorageError) { try connection.send(sql, values) }

    func execute(_ sql: String, sets: [[SQLValue]]) throws(StorageError) -> Int {
        for values in sets { try connection.send(sql, values) }
        return try connection.results(sets.count).reduce(0) { $0 + $1.changedRows }
    }

    func query(_ sql: String, sets: [[SQLValue]], row: (Int, borrowing Row) throws -> Void) throws {
        for values in sets { try connection.send(sql, values) }
        // `results` returns one result for each set. It leaves out the result of preparing the statement.
        for (index, result) in try connection.results(sets.count).enumerated() {
            for number in 0..<result.rowCount {
                result.row = number
                try row(index, Row(result))
            }
        }
    }

    func checkTransactionIsOpen(_ sql: String) throws(StorageError) {
        if let failure = connection.failure { throw failure }
    }
}
