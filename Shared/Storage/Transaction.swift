// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An open transaction.
///
/// The database contains all writes of the transaction once its closure has returned and the commit has succeeded.
/// Otherwise, the database contains none of these writes. The SQL refers to values as `$1`, `$2`, …, and may use each
/// value repeatedly.
public struct Transaction: ~Copyable {
    private let session: any SQLSession

    init(_ session: any SQLSession) {
        self.session = session
    }

    /// Runs one statement, ignores its rows, and returns the number of rows that an INSERT, UPDATE or DELETE changed.
    ///
    /// On a PostgreSQL server, this method waits for the result; `enqueue` does not.
    @discardableResult
    public func execute(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Int {
        try session.checkTransactionIsOpen(sql)
        return try session.execute(sql, values)
    }

    /// Runs the same statement once for each set of values, and returns the total number of changed rows.
    ///
    /// On a PostgreSQL server, this method waits only once for all results.
    @discardableResult
    public func execute(_ sql: String, sets: [[SQLValue]]) throws(StorageError) -> Int {
        guard !sets.isEmpty else { return 0 }
        try session.checkTransactionIsOpen(sql)
        return try session.execute(sql, sets: sets)
    }

    /// Runs one statement whose result is not needed.
    ///
    /// On a PostgreSQL server, this method does not wait: if the statement fails, a later statement or the commit
    /// throws the error.
    public func enqueue(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) {
        try session.checkTransactionIsOpen(sql)
        try session.enqueue(sql, values)
    }

    /// Runs one statement and returns the result of `row` for each row.
    @discardableResult
    public func query<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try session.checkTransactionIsOpen(sql)
        return try session.query(sql, values, row: row)
    }

    /// Runs the same statement once for each element of `sets`, and calls `row` for each row of the results.
    ///
    /// An element of `sets` contains the values for one run. The first argument of `row` is the index of this element.
    /// On a PostgreSQL server, this method waits only once for all results.
    public func query(_ sql: String, sets: [[SQLValue]], row: (Int, borrowing Row) throws -> Void) throws {
        guard !sets.isEmpty else { return }
        try session.checkTransactionIsOpen(sql)
        try session.query(sql, sets: sets, row: row)
    }
}
