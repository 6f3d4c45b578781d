// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
public import Storage

/// A service's store in a file, with values that the service has not written.
public struct CheckedStore {
    private struct NoSuchRow: Error {}

    private let path: String
    private let check: StoreCheck

    public init(_ path: String, by check: StoreCheck) { (self.path, self.check) = (path, check) }

    private func open<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let database = try Database.open(existing: path)
        let result = try body(database)
        try database.close()
        return result
    }

    /// Returns the number of rows of each of the service's own tables.
    public func rows() throws -> [String: Int64] {
        try open { database in
            let common = "'owner', 'owner_lease', 'fence', 'schema_step'"
            let tables = try database.query(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN (\(common))"
            ) { try $0.text(0) }
            let counts = try tables.map { table in
                try database.query("SELECT COUNT(*) FROM \(table)") { try $0.integer(0) }.first ?? 0
            }
            return Dictionary(uniqueKeysWithValues: zip(tables, counts))
        }
    }

    /// Changes the last row of a table, as with `note SET size = 1`, and returns the refusal; nil if the check accepts it.
    public func refusal(after change: String) throws -> String? {
        let table = change.prefix { $0 != " " }
        let last = "rowid = (SELECT MAX(rowid) FROM \(table))"
        let changed = try open { try $0.transaction { try $0.execute("UPDATE \(change) WHERE \(last)") } }
        guard changed == 1 else { throw NoSuchRow() }
        do throws(StoreCheck.Failure) {
            try check.run(on: path)
            return nil
        } catch {
            return error.description
        }
    }

    /// Checks an empty store of each version.
    public static func expectCorrect(_ migrations: [Migration], by check: StoreCheck) throws {
        for version in 1...migrations.count {
            let folder = try TemporaryFolder()
            try Database.open(path: folder.database, migrations: Array(migrations.prefix(version))).close()
            try check.run(on: folder.database)
        }
    }

    /// Returns a digest of the texts of all migrations except one.
    public static func digest(_ migrations: [Migration], without number: Int) -> String {
        let texts = migrations.filter { $0.number != number }.map {
            "\($0.number)\n\($0.sql)\n\($0.postgreSQL.joined(separator: "|"))\n"
        }
        return SHA256.hexDigest(of: texts.joined())
    }
}
