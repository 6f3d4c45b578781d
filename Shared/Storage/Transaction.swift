// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An open transaction.
///
/// Its writes are in the database after its closure has returned and the commit has succeeded; otherwise, none of them
/// is. The SQL refers to values as `$1`, `$2`, …, each any number of times.
public struct Transaction: ~Copyable {
    private let session: any SQLSession

    init(_ session: any SQLSession) {
        self.session = session
    }

    /// Runs one statement, ignores its rows, and returns the number of rows that an INSERT, UPDATE or DELETE changed.
    ///
    /// It waits for the result of a server; `enqueue` does not.
    @discardableResult
    public func execute(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Int {
        try session.checkTransactionIsOpen(sql)
        return try session.execute(sql, values)
    }

    /// Runs one statement for each set of values, and returns the total number of changed rows.
    ///
    /// It waits for a server only once.
    @discardableResult
    public func execute(_ sql: String, sets: [[SQLValue]]) throws(StorageError) -> Int {
        guard !sets.isEmpty else { return 0 }
        try session.checkTransactionIsOpen(sql)
        return try session.execute(sql, sets: sets)
    }

    /// Runs one statement whose result is not needed.
    ///
    /// The error of a statement that a server runs later is thrown by the next query or by the commit.
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
        var result: [Value] = []
        try session.query(sql, sets: [values]) { _, found in result.append(try row(found)) }
        return result
    }

    /// Runs one statement for each set of values, and passes each row to `row` with the index of its set.
    ///
    /// It waits for a server only once.
    public func query(_ sql: String, sets: [[SQLValue]], row: (Int, borrowing Row) throws -> Void) throws {
        guard !sets.isEmpty else { return }
        try session.checkTransactionIsOpen(sql)
        try session.query(sql, sets: sets, row: row)
    }
}
