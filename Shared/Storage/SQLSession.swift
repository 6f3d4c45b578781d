// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The operations of a database connection that transactions and queries need.
protocol SQLSession: AnyObject {
    /// Runs one statement, ignores its rows, and returns the number of rows that it changed.
    func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int

    /// Runs one statement whose result is not needed.
    ///
    /// An engine may delay the statement, but not beyond the commit. If the statement fails, a later statement or the
    /// commit throws the error.
    func enqueue(_ sql: String, _ values: [SQLValue]) throws(StorageError)

    /// Runs the same statement once for each set of values, and calls `row` for each row of the results.
    ///
    /// The first argument of `row` is the index of the set in `sets`.
    func query(
        _ sql: String,
        sets: [[SQLValue]],
        row: (Int, borrowing Row) throws -> Void
    ) throws

    /// Runs the same statement once for each set of values, and returns the total number of changed rows.
    func execute(_ sql: String, sets: [[SQLValue]]) throws(StorageError) -> Int

    /// Throws if the transaction is no longer open, because an earlier statement failed.
    ///
    /// `sql` is the statement that is about to run; an engine may add it to the error.
    func checkTransactionIsOpen(_ sql: String) throws(StorageError)
}

extension SQLSession {
    func query<Value>(_ sql: String, _ values: [SQLValue], row: (borrowing Row) throws -> Value) throws -> [Value] {
        var result: [Value] = []
        try query(sql, sets: [values]) { _, found in result.append(try row(found)) }
        return result
    }
}

/// The result of a query, in the engine's own format; `value` reads the columns of the current row.
protocol ResultRows: AnyObject {
    /// Returns the value of a column of the current row.
    func value(_ column: Int) throws(StorageError) -> SQLValue

    /// Returns the error for a column that contains another type than requested.
    ///
    /// `expected` names the requested type, for example "an integer". `found` is the value that the column contains.
    func wrongType(_ column: Int, _ expected: String, _ found: SQLValue) -> StorageError
}

extension SQLValue {
    /// The description of the value for error messages, for example "the integer 3" or "a text of 5 bytes".
    ///
    /// The description never shows the content of a text or a blob.
    var typeDescription: String {
        switch self {
        case .null: "NULL"
        case .integer(let integer): "the integer \(integer)"
        case .text(let text): "a text of \(text.utf8.count) bytes"
        case .blob(let bytes): "a blob of \(bytes.count) bytes"
        }
    }
}
