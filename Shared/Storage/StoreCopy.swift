// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A copy of a service's store in a SQLite file that is about to be restored.
struct StoreCopy {
    let service: String
    let path: String

    /// The increment of the token, larger than the number of processes that may take a store over during a restore.
    private static let restoreStep: Int64 = 1000

    /// Checks the copy, assigns a token that no running process has, and records that it was restored.
    ///
    /// `present` is the store that it replaces. A server accepts only a copy that contains its own migrations and whose
    /// version is that of the server's tables.
    func prepare(present: (schemaVersion: Int, token: Int64)?, needsSteps: Bool = false) throws {
        let database = try Database.open(existing: path)
        try database.checkIntegrity()
        let version = try database.schemaVersion()
        if let present, present.schemaVersion < version {
            throw failure(
                "it was written by a newer version (schema \(version)) than the store here (schema "
                    + "\(present.schemaVersion)): start the newer version once"
            )
        }
        if needsSteps {
            guard try keepsSteps(version, database), present.map({ $0.schemaVersion == version }) ?? true else {
                throw failure(
                    "it was written by an earlier version: restore it to a folder, start the services there once, and copy "
                        + "it with 'tidings store copy'"
                )
            }
        }
        let token = max(present?.token ?? 0, try Self.token(in: database)) + Self.restoreStep
        try database.transaction { transaction in
            let columns = try transaction.query("SELECT name FROM pragma_table_info('owner')") { try $0.text(0) }
            // Stores of earlier versions named the column otherwise, or had none.
            let place = ["place", "file"].first(where: columns.contains).map { ", \($0) = '\(OwnerRow.restoredPlace)'" }
            try transaction.execute("UPDATE owner SET token = $1\(place ?? "")", [.integer(token)])
        }
        try database.close()
    }

    /// Returns the token of the owner, also for stores of earlier versions.
    static func token(in database: Database) throws -> Int64 {
        try database.query("SELECT MAX(token) FROM owner") { try $0.optionalInteger(0) ?? 0 }.first ?? 0
    }

    private func keepsSteps(_ version: Int, _ database: Database) throws -> Bool {
        let table = "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'schema_step'"
        guard try database.query(table, row: { try $0.integer(0) }) == [1] else { return false }
        return try SchemaSteps.read(of: service, from: database).count == version
    }

    private func failure(_ message: String) -> StorageError {
        StorageError(kind: .newerSchema, message: message, path: StoreFolder.fileName(of: service))
    }
}
