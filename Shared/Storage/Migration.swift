// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One step from a schema version to the next.
///
/// Migrations are numbered 1, 2, 3, …; what is released never changes. The number of the last one applied is kept in the
/// database.
public struct Migration: Sendable, Equatable {
    public let number: Int
    /// One or more statements for SQLite, each ended by a semicolon, without values.
    public let sql: String
    /// The statements for PostgreSQL, without values; empty if only the former form of a SQLite database is changed.
    public let postgreSQL: [String]

    public init(_ number: Int, _ sql: String, postgreSQL: [String] = []) {
        self.number = number
        self.sql = sql
        self.postgreSQL = postgreSQL
    }
}
