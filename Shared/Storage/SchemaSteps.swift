// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

internal import Foundation

/// The table that stores the SQL of each migration of a service, both for SQLite and for PostgreSQL.
///
/// The services create this table in each store that they open. With it, a tool can copy a store from SQLite to
/// PostgreSQL or back without knowing the service's tables.
enum SchemaSteps {
    static let name = "schema_step"
    static let table = """
        CREATE TABLE IF NOT EXISTS schema_step (
            service TEXT NOT NULL,
            number BIGINT NOT NULL,
            sqlite TEXT NOT NULL,
            postgresql TEXT NOT NULL,
            PRIMARY KEY (service, number)
        )
        """

    /// The separator between the PostgreSQL statements of one migration, which are stored as one text.
    ///
    /// The statements are split again when they are read, because each must be sent by itself in pipeline mode.
    private static let separator = ";\n"

    /// Stores the migrations of a service in its database.
    static func note(_ migrations: [Migration], of service: String, in transaction: borrowing Transaction) throws {
        try transaction.execute(
            """
            INSERT INTO schema_step (service, number, sqlite, postgresql) VALUES ($1, $2, $3, $4)
            ON CONFLICT (service, number) DO NOTHING
            """,
            sets: migrations.map { migration in
                [
                    .text(service), .integer(Int64(migration.number)), .text(migration.sql),
                    .text(migration.postgreSQL.joined(separator: separator)),
                ]
            }
        )
    }

    /// Returns the migrations of a service that are stored in the table `schema_step`, in ascending order.
    static func read(of service: String, from engine: any StoreEngine) throws -> [Migration] {
        let sql = "SELECT number, sqlite, postgresql FROM schema_step WHERE service = $1 ORDER BY number"
        return try engine.query(sql, [.text(service)]) { row in
            Migration(
                Int(try row.integer(0)),
                try row.text(1),
                postgreSQL: try row.text(2).components(separatedBy: separator).filter { !$0.isEmpty }
            )
        }
    }
}
