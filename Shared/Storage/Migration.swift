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
}
