// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

/// A SQLite file with a copy of a service's store, from which the store is to be restored.
struct StoreCopy {
    let service: String
    let path: String

    /// The difference between the copy's new token and the highest known token.
    ///
    /// The highest known token is the copy's former token or the token of the replaced store, whichever is higher. The
    /// difference is larger than the number of processes that may take the store over during a restore.
    static let restoreStep: Int64 = 1000

    /// Checks the copy, gives the copy a token that no running process has, and marks the copy as restored.
    ///
    /// `present` contains the schema version and the owner's token of the store that the copy replaces. It is nil if
    /// there is no such store, or if the store cannot be read.
    ///
    /// `needsSteps` is true if the copy replaces a store on a server. The copy must then contain the SQL of all
    /// migrations that created its tables, and its schema version must equal that of the replaced store.
    func prepare(present: (schemaVersion: Int, token: Int64)?, needsSteps: Bool = false) throws {
        let database = try Database.open(existing: path)
        try database.checkIntegrity()
        let version = try database.schemaVersion()
        if let present, present.schemaVersion < version {
            throw failure(
                "the backup has schema \(version), but the present store has schema \(present.schemaVersion): start the "
                    + "newer version of Tidings once, so that it upgrades the present store, and try again"
            )
        }
        if needsSteps {
            guard try keepsSteps(version, database), present.map({ $0.schemaVersion == version }) ?? true else {
                throw failure(
                    "an earlier version of Tidings wrote this store, so it cannot be copied to a server yet: start the "
                        + "services once with the store in a folder (restore a backup to a folder first), then use "
                        + "'tidings store copy'"
                )
            }
        }
        let token = max(present?.token ?? 0, try Self.token(in: database)) + Self.restoreStep
        try database.transaction { transaction in
            let columns = try transaction.query("SELECT name FROM pragma_table_info('owner')") { try $0.text(0) }
            // In earlier versions, the column `place` was named `file`, or did not exist.
            let place = ["place", "file"].first(where: columns.contains).map { ", \($0) = '\(OwnerRow.restoredPlace)'" }
            try transaction.execute("UPDATE owner SET token = $1\(place ?? "")", [.integer(token)])
        }
        try database.close()
    }

    /// Returns the token of the owner, even if an earlier version created the store; 0 if there is no owner.
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
