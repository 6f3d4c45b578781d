// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One step from a schema version to the next.
///
/// Migrations are numbered 1, 2, 3, …; a released migration never changes. The database contains the number of the last
/// applied migration.
public struct Migration: Sendable, Equatable {
    public let number: Int
    /// The SQL for SQLite: one or more statements without parameters, each ended by a semicolon.
    public let sql: String
    /// The statements for PostgreSQL, without parameters; empty if the migration applies to SQLite databases only.
    public let postgreSQL: [String]

    public init(_ number: Int, _ sql: String, postgreSQL: [String] = []) {
        self.number = number
        self.sql = sql
        self.postgreSQL = postgreSQL
    }

    /// Creates a migration whose statements are the same for both engines but for the type of bytes.
    ///
    /// Each statement in `sql` ends with a semicolon, and contains no other one.
    public static func ofBoth(_ number: Int, _ sql: String) -> Migration {
        Migration(number, sql, postgreSQL: statements(inPostgreSQL: sql))
    }

    /// Returns the statements in `sql` with the types of PostgreSQL.
    public static func statements(inPostgreSQL sql: String) -> [String] {
        sql.replacing("BLOB", with: "BYTEA").split(separator: ";")
            .map { String($0.trimmingPrefix(while: \.isWhitespace)) }
    }
}
