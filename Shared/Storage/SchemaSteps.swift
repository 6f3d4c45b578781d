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

    /// The names of the tables that every store has besides those of its service.
    static let commonTables = ["owner", "owner_lease", "fence", name]

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
                    .text(text(of: migration)),
                ]
            }
        )
    }

    /// Returns the number of the first stored row that is not one of the given migrations; nil if there is none.
    ///
    /// The SQL of the rows is executed if the store is copied to a server, so an archive must not bring SQL of its own.
    static func foreignRow(
        in database: Database,
        of service: String,
        among migrations: [Migration]
    ) throws -> Int64? {
        guard try database.hasTable(name) else { return nil }
        let sql = "SELECT service, number, sqlite, postgresql FROM schema_step ORDER BY number"
        return try database.query(sql) { row in
            let number = try row.integer(1)
            guard let migration = migrations.first(where: { $0.number == number }), try row.text(0) == service,
                try row.text(2) == migration.sql, try row.text(3) == text(of: migration)
            else { return number }
            return nil
        }.compactMap(\.self).first
    }

    /// Returns the statements of a migration for PostgreSQL as one text.
    private static func text(of migration: Migration) -> String {
        migration.postgreSQL.joined(separator: separator)
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
