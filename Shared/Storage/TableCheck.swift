// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The check of all rows of a table.
public struct TableCheck: Sendable {
    public let table: String
    private let sql: String
    /// The index of the result's column that contains the rowid.
    private let rowID: Int
    private let check: @Sendable (borrowing Row) throws -> Void

    /// Creates a check that calls `check` with the given columns of each row; the errors of `check` name the column.
    ///
    /// `columns` may contain expressions. `joining` is a JOIN clause that adds columns of other tables.
    public init(
        _ table: String,
        _ columns: [String],
        joining: String = "",
        _ check: @escaping @Sendable (borrowing Row) throws -> Void
    ) {
        self.table = table
        sql = "SELECT \(columns.joined(separator: ", ")), \(table).rowid FROM \(table) \(joining)"
        rowID = columns.count
        self.check = check
    }

    func run(in transaction: borrowing Transaction) throws {
        try transaction.query(sql) { row in
            do {
                try check(row)
            } catch {
                let problem = (error as? StorageError)?.message ?? "\(error)"
                throw StoreCheck.Failure(
                    description: "row \(try row.integer(rowID)) of the table '\(table)': \(problem)"
                )
            }
        }
    }
}
