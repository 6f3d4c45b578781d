// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import CSQLite
internal import FoundationEssentials

/// A prepared statement, which is finalised when its last reference is released.
///
/// All references must be released before the connection is closed.
final class SQLiteStatement: ResultRows {
    let handle: OpaquePointer
    let sql: String
    private let path: String
    /// The indices of the parameters' values in the array that `bind` receives, in SQLite's order of the parameters.
    ///
    /// SQLite orders parameters by their first appearance in the statement, not by the number in `$1`, `$2`, …
    private let valueIndices: [Int]
    private let valueCount: Int

    /// Takes ownership of a statement that `sqlite3_prepare_v3` has created.
    ///
    /// `sql` is the text of the statement, and `path` is the path of the database file; errors contain both. Throws if
    /// the name of a parameter does not have the form `$1`, `$2`, …
    init(handle: OpaquePointer, sql: String, path: String) throws(StorageError) {
        self.handle = handle
        self.sql = sql
        self.path = path
        var valueIndices: [Int] = []
        // SQLite treats `$1` as a name and numbers the parameters by their first appearance, but here the number in the
        // name counts.
        for index in 0..<sqlite3_bind_parameter_count(handle) {
            guard let name = sqlite3_bind_parameter_name(handle, index + 1) else {
                valueIndices.append(Int(index))
                continue
            }
            let text = String(cString: name)
            guard let number = Int(text.dropFirst()), number > 0 else {
                sqlite3_finalize(handle)
                throw StorageError(
                    kind: .other,
                    message: "the SQL parameter \(text) must have the form $1, $2, …",
                    path: path,
                    sql: sql
                )
            }
            valueIndices.append(number - 1)
        }
        self.valueIndices = valueIndices
        valueCount = (valueIndices.max() ?? -1) + 1
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ values: [SQLValue]) throws(StorageError) {
        guard values.count == valueCount else {
            throw error(.other, "\(values.count) values were given for \(valueCount) parameters")
        }
        for (index, position) in valueIndices.enumerated() {
            let code = bind(values[position], to: Int32(index + 1))
            guard code == SQLITE_OK else { throw error(code: code) }
        }
    }

    /// Moves to the next row; returns false if there is none.
    func step() throws(StorageError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code: code)
        }
    }

    /// Resets the statement for its next use and releases its values.
    func reset() {
        // The result is that of the last step, which has already reported it.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Returns the value of a column of the current row.
    func value(_ column: Int) throws(StorageError) -> SQLValue {
        guard column >= 0, column < sqlite3_data_count(handle) else {
            let count = sqlite3_data_count(handle)
            throw error(.wrongType, "column index \(column) does not exist: the row has \(count) columns")
        }
        let index = Int32(column)
        switch sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
        case SQLITE_TEXT: return .text(try text(index))
        case SQLITE_BLOB: return .blob(try blob(index))
        case SQLITE_NULL: return .null
        default: throw error(.wrongType, "column \(column) holds a floating-point number")
        }
    }

    /// Returns the error for a column that contains another type than requested.
    ///
    /// `expected` names the requested type, for example "an integer". `found` is the value that the column contains.
    func wrongType(_ column: Int, _ expected: String, _ found: SQLValue) -> StorageError {
        let label = sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) } ?? ""
        return error(.wrongType, "column \(column) (\(label)) holds \(found.typeDescription) instead of \(expected)")
    }

    private func text(_ index: Int32) throws(StorageError) -> String {
        guard let bytes = sqlite3_column_text(handle, index) else { throw error(code: SQLITE_NOMEM) }
        let count = Int(sqlite3_column_bytes(handle, index))
        guard let text = String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self) else {
            throw error(.wrongType, "column \(index) holds a text that is not UTF-8")
        }
        return text
    }

    private func blob(_ index: Int32) throws(StorageError) -> Data {
        // The address of an empty blob is null. SQLite requires that the count is read after the address.
        let bytes = sqlite3_column_blob(handle, index)
        let count = Int(sqlite3_column_bytes(handle, index))
        guard count > 0 else { return Data() }
        guard let bytes else { throw error(code: SQLITE_NOMEM) }
        return Data(bytes: bytes, count: count)
    }

    private func error(_ kind: StorageError.Kind, _ message: String) -> StorageError {
        StorageError(kind: kind, message: message, path: path, sql: sql)
    }

    /// Returns the error for a call of SQLite that failed with the result code `code`.
    private func error(code: Int32) -> StorageError {
        StorageError(sqlite3_db_handle(handle), code: code, path: path, sql: sql)
    }

    private func bind(_ value: SQLValue, to index: Int32) -> Int32 {
        // SQLite copies the bytes before the call returns.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null:
            return sqlite3_bind_null(handle, index)
        case .integer(let integer):
            return sqlite3_bind_int64(handle, index, integer)
        case .text(let text):
            // A null address would bind NULL, so an empty text has an address as well: that of its terminator.
            return text.withCString {
                sqlite3_bind_text64(handle, index, $0, UInt64(text.utf8.count), transient, UInt8(SQLITE_UTF8))
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient)
            }
        }
    }
}
