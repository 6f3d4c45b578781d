// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One step from a schema version to the next.
///
/// Migrations are numbered 1, 2, 3, …; a released migration never changes. The database contains the number of the last
/// applied migration.
public struct Migration: Sendable, Equatable {
    public let number: Int
    /// One or more statements for SQLite without values, each ended by a semicolon.
    public let sql: String
    /// The statements for PostgreSQL without values; empty if the step applies to SQLite databases only.
    public let postgreSQL: [String]

    public init(_ number: Int, _ sql: String, postgreSQL: [String] = []) {
        self.number = number
        self.sql = sql
        self.postgreSQL = postgreSQL
    }
}
