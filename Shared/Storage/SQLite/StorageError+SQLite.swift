// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CSQLite
internal import Glibc

extension StorageError {
    /// Creates the error for a call of SQLite that failed with the result code `code`.
    ///
    /// If the last error of the connection `handle` matches `code`, the message is that of the last error. If it does
    /// not match, or if `handle` is nil, the message is SQLite's general text for `code`. `path` is the path of the
    /// database file, and `sql` is the statement that failed; nil if no single statement caused the error.
    init(_ handle: OpaquePointer?, code: Int32, path: String, sql: String? = nil) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A later call may have changed the connection's error. If it differs from the failed call's code, only that
        // code is used.
        let isSame = extended & 0xff == code & 0xff
        let text = isSame ? handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code) : sqlite3_errstr(code)
        let number = Self.concernsTheSystem(code) ? Self.systemErrorNumber(handle) : 0
        self.init(
            kind: code & 0xff == SQLITE_IOERR ? Kind(ioError: number) : Kind(code),
            code: isSame ? extended : code,
            systemErrorNumber: number,
            message: text.map { String(cString: $0) } ?? "unknown error",
            path: path,
            sql: sql
        )
    }

    /// Returns the operating system's error number (`errno`) for the last error; 0 if there is none.
    ///
    /// SQLite provides no number for a failed commit. In this case, the last error number of the write-ahead log's file
    /// is used.
    private static func systemErrorNumber(_ handle: OpaquePointer?) -> Int32 {
        guard let handle else { return 0 }
        let number = sqlite3_system_errno(handle)
        if number != 0 { return number }
        var log: UnsafeMutablePointer<sqlite3_file>?
        var last: Int32 = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK, let log,
            let methods = log.pointee.pMethods,
            methods.pointee.xFileControl?(log, SQLITE_FCNTL_LAST_ERRNO, &last) == SQLITE_OK
        else { return 0 }
        return last
    }

    /// A Boolean value that indicates whether reading or writing the disk failed.
    ///
    /// If a commit fails with such an error, its outcome is unknown.
    var isFromTheDisk: Bool { code & 0xff == SQLITE_IOERR }

    private static func concernsTheSystem(_ code: Int32) -> Bool {
        [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY].contains(code & 0xff)
    }
}

extension StorageError.Kind {
    /// Creates the kind of an input or output error from the operating system's error number (`errno`).
    ///
    /// The result code of SQLite is not sufficient, because nearly all of these errors have the same one.
    init(ioError number: Int32) {
        self =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS, EACCES, EPERM: .readOnly
            default: .ioError
            }
    }

    /// Creates the kind of an error from SQLite's result code, which may be a primary or an extended one.
    init(_ code: Int32) {
        self =
            switch code & 0xff {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY, SQLITE_PERM: .readOnly
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_IOERR: .ioError
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_CONSTRAINT: .constraint
            default: .other
            }
    }
}
