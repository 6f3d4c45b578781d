// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CPostgreSQL
internal import FoundationEssentials

/// The result of one statement: its command status, or its rows in binary format.
final class PostgreSQLResult: ResultRows {
    private let handle: OpaquePointer
    private let path: String
    let sql: String?
    /// The index of the row that `value` reads.
    var row: Int32 = 0

    /// Takes ownership of a result that libpq has returned.
    ///
    /// `sql` is the statement of the result; nil for a synchronisation point. `path` is the address of the server
    /// without a password. Both are used in errors.
    init(_ handle: OpaquePointer, sql: String?, path: String) {
        self.handle = handle
        self.sql = sql
        self.path = path
    }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int32 { PQntuples(handle) }
    /// The name of the command that was executed; PostgreSQL executes the COMMIT of a failed transaction as a ROLLBACK.
    var command: String { String(cString: PQcmdStatus(handle)) }
    /// The number of rows that an INSERT, UPDATE or DELETE changed.
    var changedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The error of the statement; nil if the statement succeeded, or was skipped because of an earlier error.
    var error: StorageError? {
        guard status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE else { return nil }
        func field(_ code: Unicode.Scalar) -> String? {
            PQresultErrorField(handle, Int32(code.value)).map { String(cString: $0) }
        }
        let state = field("C")
        let text = field("M") ?? String(cString: PQresultErrorMessage(handle))
        let detail = field("D").map { " (\($0))" } ?? ""
        return StorageError(
            kind: state.map(StorageError.Kind.init(sqlState:)) ?? .disconnected,
            sqlState: state,
            message: text.split(whereSeparator: \.isNewline).joined(separator: " ") + detail,
            path: path,
            sql: sql
        )
    }

    func value(_ column: Int) throws(StorageError) -> SQLValue {
        let index = Int32(clamping: column)
        guard index >= 0, index < PQnfields(handle) else {
            throw error("column index \(column) does not exist: the row has \(PQnfields(handle)) columns")
        }
        guard PQgetisnull(handle, row, index) == 0, let start = PQgetvalue(handle, row, index) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, index)))
        switch PostgreSQLType(rawValue: PQftype(handle, index)) {
        case .bigint, .integer, .smallint: return .integer(Self.signedInteger(bytes))
        case .bytes: return .blob(Data(bytes))
        case .boolean: return .integer(bytes.first == 0 ? 0 : 1)
        case .text, .variableText, .name:
            guard let text = PostgreSQLText.decoded(bytes) else {
                throw error("column \(column) holds a text that is not UTF-8")
            }
            return .text(text)
        case nil: throw error("column \(column) has an unsupported PostgreSQL type (OID \(PQftype(handle, index)))")
        }
    }

    func wrongType(_ column: Int, _ expected: String, _ found: SQLValue) -> StorageError {
        let label = PQfname(handle, Int32(column)).map { String(cString: $0) } ?? ""
        return error("column \(column) (\(label)) holds \(found.typeDescription) instead of \(expected)")
    }

    private func error(_ message: String) -> StorageError {
        StorageError(kind: .wrongType, message: message, path: path, sql: sql)
    }

    /// Reads a big-endian integer of two, four or eight bytes.
    private static func signedInteger(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        let start: Int64 = (bytes.first ?? 0) & 0x80 == 0 ? 0 : -1
        return bytes.reduce(start) { $0 << 8 | Int64($1) }
    }
}

/// The types of values and columns that stores use, with their OIDs in the system catalog `pg_type`.
enum PostgreSQLType: Oid {
    case boolean = 16
    case bytes = 17
    case name = 19
    case bigint = 20
    case smallint = 21
    case integer = 23
    case text = 25
    case variableText = 1043
}
