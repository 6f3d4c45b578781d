// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Storage

/// Copies of a store with parts that its service has not written.
@Suite struct StoreCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let migrations = [
        Migration(1, "CREATE TABLE note (body TEXT); CREATE INDEX note_body ON note (body);"),
        Migration(2, "ALTER TABLE note ADD COLUMN size BIGINT NOT NULL DEFAULT 0;"),
    ]
    private static let schema = StoreSchema(service: "cache", migrations: migrations)
    private static let check = StoreCheck(
        schema,
        tables: [
            TableCheck("note", ["body", "size"]) { row in
                guard try row.text(0) != "bad" else { throw CorruptStore(column: "note.body") }
                _ = try row.integer(1)
            }
        ]
    )

    /// Makes a store with two rows, changes it with SQL, and returns the check's message; nil if the store is correct.
    private func refusal(after sql: [String]) throws -> String? {
        let store = try FencedDatabase(path: folder.database, Self.schema)
        try store.transaction { try $0.execute("INSERT INTO note (body, size) VALUES ('one', 1), ('two', 2)") }
        store.close()
        let database = try Database.open(existing: folder.database)
        for statement in sql { try database.execute(statement) }
        try database.close()
        return refusal(of: folder.database)
    }

    private func refusal(of path: String) -> String? {
        do throws(StoreCheck.Failure) {
            try Self.check.run(on: path)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ([], nil),
        (["CREATE TABLE other (a)"], "the table 'other' is foreign: the cache has none"),
        (["CREATE VIEW other AS SELECT 1"], "the view 'other' is foreign: the cache has none"),
        (["CREATE INDEX other ON note (size)"], "the index 'other' is foreign: the cache has none"),
        (
            ["CREATE TRIGGER other AFTER UPDATE ON owner BEGIN DELETE FROM note; END"],
            "the trigger 'other' is foreign: the cache has none"
        ),
        (["CREATE VIRTUAL TABLE other USING fts5(a)"], "the table 'other' is foreign: the cache has none"),
        (["ALTER TABLE note ADD COLUMN more TEXT"], "the table 'note' differs from that of the cache"),
        (
            ["DROP INDEX note_body", "CREATE INDEX note_body ON note (body, size)"],
            "the index 'note_body' differs from that of the cache"
        ),
        (["DROP INDEX note_body"], "the index 'note_body' is missing"),
        (
            ["DROP TABLE owner", "CREATE TABLE owner (service TEXT, token BIGINT, commits BIGINT, place TEXT)"],
            "the table 'owner' differs from that of the cache"
        ),
        (["DROP TABLE owner"], "the table 'owner' must have one row"),
        (["DROP TABLE owner_lease", "DROP TABLE fence", "DROP TABLE schema_step"], nil),
        (["DELETE FROM owner"], "the table 'owner' must have one row"),
        (["UPDATE owner SET service = 'notifier'"], "row 1 of the table 'owner': the column owner.service"),
        (["UPDATE owner SET token = \(Int64.max)"], "row 1 of the table 'owner': the column owner.token"),
        (["UPDATE owner SET commits = -1"], "row 1 of the table 'owner': the column owner.commits"),
        (["UPDATE owner_lease SET renewals = \(Int64.max)"], "row 1 of the table 'owner_lease'"),
        (["UPDATE owner_lease SET renewals = -9223372036854775807 - 1"], "row 1 of the table 'owner_lease'"),
        (["INSERT INTO fence (held) VALUES (1)"], "row 1 of the table 'fence'"),
        (["UPDATE schema_step SET postgresql = 'DROP TABLE note' WHERE number = 2"], "its migration 2 is not that"),
        (["UPDATE schema_step SET sqlite = sqlite || ' ' WHERE number = 1"], "its migration 1 is not that"),
        (["UPDATE schema_step SET service = 'notifier' WHERE number = 1"], "its migration 1 is not that"),
        (["INSERT INTO schema_step VALUES ('cache', 3, '', '')"], "its migration 3 is not that"),
        (["UPDATE note SET body = 'bad' WHERE size = 2"], "row 2 of the table 'note': the column note.body"),
        (["UPDATE note SET body = NULL WHERE size = 2"], "row 2 of the table 'note': column 0 (body) holds NULL"),
        (
            ["UPDATE note SET size = 1.5 WHERE size = 2"],
            "row 2 of the table 'note': column 1 holds a floating-point number"
        ),
        (["PRAGMA user_version = 0"], "it is not a store of the cache"),
        (["PRAGMA user_version = -1"], "it is not a store of the cache"),
        (["PRAGMA user_version = 3"], "it has schema version 3, but this version of Tidings supports only versions up"),
    ])
    func aCopyIsRefusedForEachForeignPart(sql: [String], refusal: String?) throws {
        let found = try self.refusal(after: sql)
        if let refusal {
            #expect(found?.contains(refusal) == true, "\(found ?? "it is accepted")")
        } else {
            #expect(found == nil)
        }
    }

    @Test func aCopyOfAnEarlierVersionIsCheckedWithItsMigrationsAndStaysAsItIs() throws {
        let earlier = StoreSchema(service: "cache", migrations: Array(Self.migrations.prefix(1)))
        for (body, expected) in [("one", nil), ("bad", "row 2 of the table 'note'")] {
            let store = try FencedDatabase(path: folder.database, earlier)
            try store.transaction { try $0.execute("INSERT INTO note (body) VALUES ($1)", [.text(body)]) }
            store.close()
            let found = refusal(of: folder.database)
            #expect(expected.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "it is accepted")")
            let database = try Database.open(existing: folder.database)
            #expect(try database.schemaVersion() == 1)
            try database.close()
        }
    }

    @Test func aDamagedPageIsFound() throws {
        let store = try FencedDatabase(path: folder.database, Self.schema)
        try store.transaction { transaction in
            let rows = (0..<500).map { [SQLValue.text("row \($0)")] }
            try transaction.execute("INSERT INTO note (body) VALUES ($1)", sets: rows)
        }
        store.close()
        var bytes = try Data(contentsOf: URL(filePath: folder.database))
        // An index of which one entry differs from its row; only a complete check compares the two.
        let entry = try #require(bytes.ranges(of: Data("row 333".utf8)).last)
        bytes.replaceSubrange(entry, with: Data("row 33\u{7f}".utf8))
        try bytes.write(to: URL(filePath: folder.database))
        let found = refusal(of: folder.database)
        #expect(found?.hasPrefix("it is damaged: ") == true, "\(found ?? "it is accepted")")
        try Data("no database".utf8).write(to: URL(filePath: folder.database))
        #expect(refusal(of: folder.database) == "file is not a database")
    }

    @Test func theSQLOfAStoreReachesNoOtherFile() throws {
        let other = folder.path + "/other.sqlite"
        let error = #expect(throws: StorageError.self) {
            try Database.open(path: folder.database, migrations: [Migration(1, "ATTACH '\(other)' AS other;")])
        }
        #expect(error?.message.contains("too many attached databases") == true)
        #expect(!FileManager.default.fileExists(atPath: other))
        let database = try Database.open(path: folder.database, migrations: Self.migrations)
        try database.execute("PRAGMA writable_schema = ON")
        let change = "UPDATE sqlite_schema SET sql = '' WHERE name = 'note'"
        #expect(throws: StorageError.self) { try database.execute(change) }
        try database.close()
    }
}
