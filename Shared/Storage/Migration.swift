// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// One step from a schema version to the next.
///
/// Migrations are numbered 1, 2, 3, …; what is released never changes. The number of the last one applied is kept in the
/// database.
public struct Migration: Sendable, Equatable {
    public let number: Int
    /// One or more statements, each ended by a semicolon, without values.
    public let sql: String

    public init(_ number: Int, _ sql: String) {
        self.number = number
        self.sql = sql
    }
}
