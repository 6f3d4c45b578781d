// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CSQLite
import WidgetSchema

/// One SQLite connection with its prepared statements, used by one thread at a time.
final class SQLiteConnection: SQLSession {
    /// The maximum number of cached statements; a program uses only a few dozen.
    static let statementLimit = 256
    /// The path that stands for an empty database in memory.
    static let inMemory = ":memory:"

    let path: String
    private var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    /// The number of frames in the write-ahead log after this connection's last commit.
    private let logFrames: UnsafeMutablePointer<Int32>
    private var pageBytes: Int64 = 0
    private var pageCacheKibibytes: Int64 = 0
    private var frameBytes: Int64 { pageBytes + Self.frameHeaderBytes }

    /// Opens the file at `path` and prepares the connection for durable commits.
    ///
    /// If the file does not exist, the initializer creates it; if `creates` is false, the initializer throws instead.
    /// `busyTimeout` is the maximum time that a statement waits for another connection's lock.
    init(path: String, creates: Bool = true, busyTimeout: Duration) throws(StorageError) {
        self.path = path
        logFrames = .allocate(capacity: 1)
        logFrames.initialize(to: 0)
        // One thread at a time uses the connection: SQLite's own mutexes would protect nothing more.
        let flags =
            SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else { throw StorageError(handle, code: code, path: path) }
        setBusyTimeout(busyTimeout)
        // The file may come from an archive: its SQL must not reach other files, nor the file's own structure.
        tidings_sqlite3_set_defensive(handle)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        try execute("PRAGMA trusted_schema = OFF")
        try useWriteAheadLog()
        try setDurableCommits(true)
        try execute("PRAGMA foreign_keys = ON")
        // A `Checkpointer` empties the log instead, so that no commit waits for it.
        try execute("PRAGMA wal_autocheckpoint = 0")
        pageBytes = try integer("PRAGMA page_size")
        try resizePageCache()
        // SQLite removes the hook when the automatic checkpoint is set, so the hook is set afterwards.
        sqlite3_wal_hook(
            handle,
            { context, _, _, frames in
                context?.assumingMemoryBound(to: Int32.self).pointee = frames
                return SQLITE_OK
            },
            logFrames
        )
    }

    deinit {
        statements.removeAll()
        // If a statement still exists, `sqlite3_close_v2` frees the connection together with the last statement.
        sqlite3_close_v2(handle)
        logFrames.deallocate()
    }

    /// Turns durable commits on or off.
    ///
    /// A durable commit waits until its data is on the disk, so that the data survives a loss of power. Must be called
    /// outside of a transaction.
    func setDurableCommits(_ isDurable: Bool) throws(StorageError) {
        // The pragma takes effect when it is compiled, so a cached statement would have no effect.
        try executeAll("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
    }

    /// Sets the maximum time that a statement waits for another connection's lock.
    func setBusyTimeout(_ timeout: Duration) {
        sqlite3_busy_timeout(handle, Int32(clamping: timeout.wholeMilliseconds))
    }

    /// A Boolean value that indicates whether the path of the open file now belongs to another file, or to none.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// A Boolean value that indicates whether a transaction is open.
    var isInTransaction: Bool {
        handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// The size of the write-ahead log after the last commit, in bytes.
    var logBytes: Int64 {
        Int64(logFrames.pointee) * frameBytes
    }

    /// Sets `logBytes` to 0 until the next commit.
    func forgetLogBytes() {
        logFrames.pointee = 0
    }

    /// Runs one statement to its end and returns the number of changed rows.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Int {
        let statement = try borrowStatement(sql)
        defer { giveBack(statement) }
        try statement.bind(values)
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    func enqueue(_ sql: String, _ values: [SQLValue]) throws(StorageError) { try execute(sql, values) }

    func execute(_ sql: String, sets: [[SQLValue]]) throws(StorageError) -> Int {
        var changed = 0
        for values in sets { changed += try execute(sql, values) }
        return changed
    }

    func query(_ sql: String, sets: [[SQLValue]], row: (Int, borrowing Row) throws -> Void) throws {
        let statement = try borrowStatement(sql)
        defer { giveBack(statement) }
        for (index, values) in sets.enumerated() {
            if index > 0 { statement.reset() }
            try statement.bind(values)
            while try statement.step() { try row(index, Row(statement)) }
        }
    }

    /// Throws if SQLite has rolled back the transaction by itself, as it does when the disk is full.
    ///
    /// Must be called before each statement of a transaction. Without this check, the statement would be executed and
    /// committed outside of any transaction. `sql` is the statement that is about to run; the error contains it.
    func checkTransactionIsOpen(_ sql: String) throws(StorageError) {
        guard isInTransaction else {
            throw error(.transactionEnded, "an earlier statement failed and rolled the transaction back", sql)
        }
    }

    /// Returns the integer in the first column of the only row of a statement.
    func integer(_ sql: String) throws(StorageError) -> Int64 {
        let statement = try borrowStatement(sql)
        defer { giveBack(statement) }
        guard try statement.step() else {
            throw error(.wrongType, "the statement returned no row", sql)
        }
        return try Row(statement).integer(0)
    }

    /// Returns the texts in the first column of all rows.
    func texts(_ sql: String) throws(StorageError) -> [String] {
        let statement = try borrowStatement(sql)
        defer { giveBack(statement) }
        var result: [String] = []
        while try statement.step() { result.append(try Row(statement).text(0)) }
        return result
    }

    /// Runs all statements of a text, which must not have parameters.
    func executeAll(_ sql: String) throws(StorageError) {
        var rest = Substring(sql)
        while true {
            let (statement, tail) = try prepare(String(rest))
            guard let statement else { return }
            while try statement.step() {}
            rest = Substring(tail)
        }
    }

    /// Moves the pages of the write-ahead log into the database; the next commit then writes to the log's start.
    ///
    /// Other connections can commit while nearly all pages are moved; they wait only while the last pages are moved. If
    /// another connection still reads from the log, the log grows further until a later checkpoint.
    func checkpoint() throws(StorageError) {
        guard try checkpoint(SQLITE_CHECKPOINT_PASSIVE) > 0 else { return }
        do throws(StorageError) {
            _ = try checkpoint(SQLITE_CHECKPOINT_RESTART)
        } catch  where error.kind == .busy {
            // A reader still needs the log; the next checkpoint empties it.
        }
    }

    /// Ends all statements, moves the log into the database, and closes the file.
    ///
    /// The connection is closed even if this throws. An error means that the log could not be emptied; no data is lost.
    func close() throws(StorageError) {
        guard handle != nil else { return }
        statements.removeAll()
        defer {
            sqlite3_close_v2(handle)
            handle = nil
        }
        do throws(StorageError) {
            _ = try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        } catch  where error.kind == .busy {
            // Another connection is reading; it empties the log when it is closed.
        }
    }

    /// The minimum and the maximum size of the page cache, in KiB.
    ///
    /// A cache of the maximum size can hold the keys of about 100,000 rows. A commit then reads only rows from the
    /// file, and no keys.
    private static let pageCacheRange: ClosedRange<Int64> = (2 * 1024)...(12 * 1024)
    /// The approximate ratio of the size of a file to the total size of the keys of its tables.
    private static let fileToKeysRatio: Int64 = 32

    /// Adjusts the page cache to the size of the file.
    func resizePageCache() throws(StorageError) {
        let kibibytes = try integer("PRAGMA page_count") * pageBytes / 1024 / Self.fileToKeysRatio
        let wanted = min(max(kibibytes, Self.pageCacheRange.lowerBound), Self.pageCacheRange.upperBound)
        guard wanted != pageCacheKibibytes else { return }
        try execute("PRAGMA cache_size = -\(wanted)")
        pageCacheKibibytes = wanted
    }

    /// Runs a checkpoint in `mode`, one of `SQLITE_CHECKPOINT_…`, and returns the number of frames that are left in the
    /// log.
    private func checkpoint(_ mode: Int32) throws(StorageError) -> Int32 {
        var frames: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &moved)
        guard code == SQLITE_OK else { throw StorageError(handle, code: code, path: path) }
        return frames - moved
    }

    private static let frameHeaderBytes: Int64 = 24

    private func useWriteAheadLog() throws(StorageError) {
        let sql = "PRAGMA journal_mode = WAL"
        let statement = try borrowStatement(sql)
        defer { giveBack(statement) }
        let mode = try statement.step() ? try Row(statement).text(0) : ""
        guard mode == "wal" || path == Self.inMemory else {
            let message = "this file system does not support a write-ahead log (journal mode is '\(mode)')"
            throw error(.cannotOpen, message, sql)
        }
    }

    /// Returns a prepared statement and removes it from the cache, so that a nested query with the same text gets a
    /// second statement.
    private func borrowStatement(_ sql: String) throws(StorageError) -> SQLiteStatement {
        if let statement = statements.removeValue(forKey: sql) { return statement }
        let (statement, tail) = try prepare(sql)
        guard let statement, try prepare(tail).statement == nil else {
            throw error(.other, "the SQL text must be exactly one statement", sql)
        }
        return statement
    }

    private func giveBack(_ statement: SQLiteStatement) {
        statement.reset()
        if statements.count >= Self.statementLimit { statements.removeAll() }
        statements[statement.sql] = statement
    }

    /// Prepares the first statement of a text; the statement is nil if the text contains only white space and comments.
    ///
    /// `tail` is the rest of the text.
    private func prepare(_ sql: String) throws(StorageError) -> (statement: SQLiteStatement?, tail: String) {
        guard let handle else {
            throw error(.other, "the database is closed", sql)
        }
        var prepared: OpaquePointer?
        let (code, tail) = sql.withCString { start in
            var end: UnsafePointer<CChar>?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let code = sqlite3_prepare_v3(handle, start, -1, flags, &prepared, &end)
            return (code, end.map { String(cString: $0) } ?? "")
        }
        guard code == SQLITE_OK else { throw StorageError(handle, code: code, path: path, sql: sql) }
        guard let prepared else { return (nil, tail) }
        return (try SQLiteStatement(handle: prepared, sql: sql, path: path), tail)
    }

    private func error(_ kind: StorageError.Kind, _ message: String, _ sql: String) -> StorageError {
        StorageError(kind: kind, message: message, path: path, sql: sql)
    }
}
