// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// The check of a copy of a service's store, before the copy replaces a store.
///
/// A copy may be damaged, or come from anybody. The check throws if the copy contains anything that the service would
/// not have written: another table, index, trigger or view, SQL other than that of the service's migrations, or a row
/// that the service cannot read.
public struct StoreCheck: Sendable {
    /// The error for a copy that must not replace a store; the description does not name the copy.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let schema: StoreSchema
    private let tables: [TableCheck]

    /// Creates the check of a service's store; `tables` contains a check of the rows of each table of the service.
    public init(_ schema: StoreSchema, tables: [TableCheck]) {
        self.schema = schema
        self.tables = tables
    }

    /// Checks a copy, which no process may use in the meantime, and throws a `Failure` if it is not correct.
    ///
    /// Earlier schema versions are accepted: the missing migrations are applied, and undone after the check. The schema
    /// is compared first, because later steps would execute expressions that it contains.
    public func run(on path: String) throws(Failure) {
        do {
            let database = try Database.open(existing: path)
            defer { try? database.close() }
            try database.execute("PRAGMA cell_size_check = ON")
            let version = try database.schemaVersion()
            guard version > 0 else { throw Failure(description: "it is not a store of the \(schema.service)") }
            guard version <= schema.migrations.count else {
                throw Failure(
                    description: "it has schema version \(version), but this version of Tidings supports only versions "
                        + "up to \(schema.migrations.count); use the newer version of Tidings"
                )
            }
            try checkSchema(of: database, version: version)
            let report = try database.query("PRAGMA integrity_check") { try $0.text(0) }
            guard report == ["ok"] else {
                throw Failure(description: "it is damaged: \(report.prefix(3).joined(separator: "; "))")
            }
            try database.rehearse(schema.migrations) { transaction in
                for table in OwnerRow.tables { try transaction.execute(table) }
                guard try transaction.query("SELECT COUNT(*) FROM owner", row: { try $0.integer(0) }) == [1] else {
                    throw Failure(description: "the table 'owner' must have one row")
                }
                for table in OwnerRow.checks(of: schema.service) + tables { try table.run(in: transaction) }
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Compares the schema with the one that the service's own migrations create.
    private func checkSchema(of database: Database, version: Int) throws {
        let migrations = Array(schema.migrations.prefix(version))
        let model = try Database.open(path: SQLiteConnection.inMemory, migrations: migrations)
        // Earlier versions did not create all common tables.
        let required = try SchemaObject.all(in: model).filter { !SchemaSteps.commonTables.contains($0.table) }
        try model.transaction { transaction in
            for table in OwnerRow.tables + [SchemaSteps.table] { try transaction.execute(table) }
        }
        let allowed = try SchemaObject.all(in: model)
        try model.close()
        let found = try SchemaObject.all(in: database)
        for object in found where !allowed.contains(object) {
            let isKnown = allowed.contains { $0.name == object.name && $0.type == object.type }
            let problem =
                isKnown ? "differs from that of the \(schema.service)" : "is foreign: the \(schema.service) has none"
            throw Failure(description: "the \(object) \(problem)")
        }
        if let missing = required.first(where: { !found.contains($0) }) {
            throw Failure(description: "the \(missing) is missing")
        }
        if let number = try SchemaSteps.foreignRow(in: database, of: schema.service, among: migrations) {
            throw Failure(
                description: "the table '\(SchemaSteps.name)' contains foreign SQL: its migration \(number) is not "
                    + "that of the \(schema.service)"
            )
        }
    }

    /// Returns the failure for any error, without the path and the remedies of a `StorageError`, which are those of a
    /// store that is in use.
    private static func failure(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let error as StorageError: Failure(description: error.message)
        default: Failure(description: "\(error)")
        }
    }

    /// A table, index, trigger or view of a SQLite database.
    private struct SchemaObject: Hashable, CustomStringConvertible {
        var type: String
        var name: String
        /// The table to which an index or a trigger belongs; the name of the object itself otherwise.
        var table: String
        /// The SQL that creates the object; empty for the index of a primary key.
        var sql: String

        var description: String { "\(type) '\(name)'" }

        static func all(in database: Database) throws -> [SchemaObject] {
            try database.query("SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_schema") { row in
                SchemaObject(type: try row.text(0), name: try row.text(1), table: try row.text(2), sql: try row.text(3))
            }
        }
    }
}
