// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CSQLite

/// The function that copies a whole database with SQLite's backup interface.
///
/// A copy is made in one read transaction of the source and one write transaction of the destination.
enum SQLiteCopy {
    /// The maximum time that the copy waits for another connection's lock.
    private static let timeout: Duration = .seconds(10)
    /// The pause between two attempts to get a lock.
    private static let pauseMilliseconds: Int32 = 50

    static func copy(from source: String, to destination: String) throws(StorageError) {
        let from = try open(source, SQLITE_OPEN_READWRITE)
        defer { sqlite3_close_v2(from) }
        let to = try open(destination, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        defer { sqlite3_close_v2(to) }
        // A busy timeout does not cover all locks of a backup, and it would apply to each of them separately. So this
        // loop waits, with one deadline.
        let deadline = ContinuousClock.now + timeout
        var code = attempt(from, to)
        while [SQLITE_BUSY, SQLITE_LOCKED].contains(code & 0xff), ContinuousClock.now < deadline {
            sqlite3_sleep(pauseMilliseconds)
            code = attempt(from, to)
        }
        guard code == SQLITE_OK else { throw StorageError(to, code: code, path: destination) }
    }

    /// Tries to copy everything, and returns the result code.
    ///
    /// Each attempt is a new backup: a backup that met an extended code, such as `SQLITE_BUSY_RECOVERY`, returns it for
    /// ever.
    private static func attempt(_ from: OpaquePointer?, _ to: OpaquePointer?) -> Int32 {
        guard let backup = sqlite3_backup_init(to, "main", from, "main") else { return sqlite3_extended_errcode(to) }
        let code = sqlite3_backup_step(backup, -1)
        let end = sqlite3_backup_finish(backup)
        return code == SQLITE_DONE ? end : code
    }

    private static func open(_ path: String, _ flags: Int32) throws(StorageError) -> OpaquePointer? {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(handle) }
            throw StorageError(handle, code: code, path: path)
        }
        return handle
    }
}
