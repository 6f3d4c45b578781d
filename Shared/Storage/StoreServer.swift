// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A PostgreSQL database with the tables of the services.
///
/// Its backups are SQLite files, like those of a `StoreFolder`, so that a backup can be restored to a folder or to a
/// server.
struct StoreServer: StorePlace {
    let url: String
    let needsSteps = true

    /// The maximum number of rows in one batch, while a table is copied in batches.
    private static let rowsAtOnce = 500

    /// Returns a Boolean value that indicates whether a service has tables in this database.
    func holds(_ service: String) throws -> Bool {
        let database = try PostgreSQLDatabase(existing: url, service: service)
        defer { database.close() }
        return try database.schemaVersion() > 0
    }

    /// Copies a consistent state of a service's tables to a new SQLite file, even while the service uses the tables.
    func backUp(_ service: String, to file: String) throws {
        let source = try PostgreSQLDatabase(existing: url, service: service)
        defer { source.close() }
        let steps = try SchemaSteps.read(of: service, from: source)
        let target = try Database.open(path: file, migrations: steps)
        try source.transaction { reading in
            try reading.enqueue("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            guard let owner = try reading.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first else {
                throw OwnerRow.missing(service, path: source.name)
            }
            try target.transaction { writing in
                for table in OwnerRow.tables + [SchemaSteps.table] { try writing.execute(table) }
                try SchemaSteps.note(steps, of: service, in: writing)
                try writing.execute("DELETE FROM owner")
                try writing.execute(
                    "INSERT INTO owner (service, token, commits, place) VALUES ($1, $2, $3, $4)",
                    [.text(service), .integer(owner.token), .integer(owner.commits), .text(owner.place)]
                )
                for table in try StoreTable.all(in: writing) {
                    // Each table has its own cursor name, because a prepared FETCH keeps the columns of the cursor that
                    // it names.
                    let cursor = "copy_of_\(table.name)"
                    let fetch = "FETCH FORWARD \(Self.rowsAtOnce) FROM \(cursor)"
                    try reading.enqueue("DECLARE \(cursor) NO SCROLL CURSOR FOR \(table.selectStatement)")
                    while true {
                        let rows = try reading.query(fetch, row: table.values)
                        guard !rows.isEmpty else { break }
                        try writing.execute(table.insertStatement, sets: rows)
                    }
                    try reading.enqueue("CLOSE \(cursor)")
                }
            }
        }
        try target.close()
    }

    /// Returns the schema version of a service's tables and the token of the store's owner.
    ///
    /// Returns nil if the service has no tables in this database.
    func present(_ service: String) throws -> (schemaVersion: Int, token: Int64)? {
        let database = try PostgreSQLDatabase(existing: url, service: service)
        defer { database.close() }
        let version = try database.schemaVersion()
        guard version > 0 else { return nil }
        let token = try database.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first?.token
        return (version, token ?? 0)
    }

    /// Replaces the rows of a service with those of a copy in one transaction, even while the service uses its rows.
    ///
    /// `copy` must have been prepared with `StoreCopy.prepare`. A process that has the store open finds another owner
    /// in its next transaction.
    func restore(_ service: String, from copy: String) throws -> String? {
        let source = try Database.open(existing: copy)
        let steps = try SchemaSteps.read(of: service, from: source)
        let target = try PostgreSQLDatabase(url: url, service: service, migrations: steps, isRestore: true)
        defer { target.close() }
        guard let owner = try source.query(OwnerRow.query, [.text(service)], row: OwnerRow.init).first else {
            throw StorageError(
                kind: .corrupt,
                message:
                    "the backup has no row for the service '\(service)' in its table 'owner'; restore another backup",
                path: copy
            )
        }
        try target.transaction { writing in
            for table in OwnerRow.tables + [SchemaSteps.table] { try writing.enqueue(table) }
            // The owner is replaced first, so that each transaction of the former owner either ends before this one or
            // fails.
            try writing.enqueue(
                """
                INSERT INTO owner (service, token, commits, place) VALUES ($1, $2, $3, $4)
                ON CONFLICT (service) DO UPDATE
                SET token = GREATEST(owner.token + 1, excluded.token), commits = excluded.commits, place = excluded.place
                """,
                [.text(service), .integer(owner.token), .integer(owner.commits), .text(owner.place)]
            )
            try SchemaSteps.note(steps, of: service, in: writing)
            try source.transaction { reading in
                for table in try StoreTable.all(in: reading) {
                    try writing.enqueue("DELETE FROM \(table.name)")
                    var rows: [[SQLValue]] = []
                    try reading.query(table.selectStatement) { row in
                        rows.append(try table.values(row))
                        guard rows.count == Self.rowsAtOnce else { return }
                        try writing.execute(table.insertStatement, sets: rows)
                        rows = []
                    }
                    try writing.execute(table.insertStatement, sets: rows)
                }
            }
        }
        try source.close()
        return nil
    }
}

/// A table of a service with the names of its columns.
private struct StoreTable {
    var name: String
    var columns: [String]

    var selectStatement: String { "SELECT \(columns.joined(separator: ", ")) FROM \(name)" }

    var insertStatement: String {
        let places = (1...columns.count).map { "$\($0)" }
        return "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(places.joined(separator: ", ")))"
    }

    func values(_ row: borrowing Row) throws(StorageError) -> [SQLValue] {
        var values: [SQLValue] = []
        for index in columns.indices { values.append(try row.value(index)) }
        return values
    }

    /// Returns the service's own tables in a SQLite database, without the tables that every store has.
    static func all(in transaction: borrowing Transaction) throws -> [StoreTable] {
        let names = try transaction.query(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        ) { try $0.text(0) }
        return try names.filter { !SchemaSteps.commonTables.contains($0) }.map { name in
            let sql = "SELECT name FROM pragma_table_info($1) ORDER BY cid"
            return StoreTable(name: name, columns: try transaction.query(sql, [.text(name)]) { try $0.text(0) })
        }
    }
}
