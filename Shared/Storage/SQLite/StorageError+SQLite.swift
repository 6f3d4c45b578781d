// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CSQLite

extension StorageError {
    /// The error that a connection reported last.
    init(_ handle: OpaquePointer?, code: Int32, path: String, sql: String? = nil) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A later call may have reset the connection's state; the code of the failed call itself is what counts.
        let isSame = extended & 0xff == code & 0xff
        let text = isSame ? handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code) : sqlite3_errstr(code)
        self.init(
            kind: Kind(code),
            code: isSame ? extended : code,
            systemErrorNumber: Self.concernsTheSystem(code) ? handle.map { sqlite3_system_errno($0) } ?? 0 : 0,
            message: text.map { String(cString: $0) } ?? "unknown error",
            path: path,
            sql: sql
        )
    }

    private static func concernsTheSystem(_ code: Int32) -> Bool {
        [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL, SQLITE_READONLY].contains(code & 0xff)
    }
}

extension StorageError.Kind {
    /// The kind of a primary or extended result code.
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
