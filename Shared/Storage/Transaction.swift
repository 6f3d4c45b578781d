// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// An open transaction: what it writes is in the database when the closure that got it has returned and the commit went
/// well, and not at all otherwise.
///
/// Values stand in the SQL as `$1`, `$2`, …, each as often as needed.
public struct Transaction: ~Copyable {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    /// Runs one statement, ignores its rows, and gives the number of rows that an INSERT, UPDATE or DELETE changed.
    @discardableResult
    public func execute(_ sql: String, _ values: [SQLValue] = []) throws(StorageError) -> Int {
        try checkIsOpen(sql)
        return try connection.execute(sql, values)
    }

    /// Runs one statement and gives what `row` makes of each of its rows.
    @discardableResult
    public func query<Value>(
        _ sql: String,
        _ values: [SQLValue] = [],
        row: (borrowing Row) throws -> Value
    ) throws -> [Value] {
        try checkIsOpen(sql)
        return try connection.query(sql, values, row: row)
    }

    /// Refuses to go on after SQLite has rolled back by itself (a full disk does that): the statement would be a
    /// transaction of its own.
    private func checkIsOpen(_ sql: String) throws(StorageError) {
        guard connection.isInTransaction else {
            throw StorageError(
                kind: .transactionEnded,
                message: "an earlier statement failed and rolled the transaction back",
                path: connection.path,
                sql: sql
            )
        }
    }
}
