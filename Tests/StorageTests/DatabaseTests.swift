// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Storage
import TestSupport
import Testing

@Suite struct DatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let migrations = [
        Migration(1, "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;"),
        Migration(
            2,
            """
            -- Two statements in one migration.
            ALTER TABLE note ADD COLUMN author TEXT;
            CREATE TABLE tag (note INTEGER NOT NULL REFERENCES note (id), name TEXT NOT NULL) STRICT;
            """
        ),
    ]

    private func open() throws -> Database { try Database.open(path: folder.database, migrations: Self.migrations) }

    private func bodies(_ database: Database) throws -> [String] {
        try database.query("SELECT body FROM note ORDER BY id") { try $0.text(0) }
    }

    private func insert(_ body: String, _ database: Database) throws {
        try database.transaction { transaction in
            _ = try transaction.execute("INSERT INTO note (body) VALUES ($1)", [.text(body)])
        }
    }

    @Test func typedColumnsGiveTheirValues() throws {
        let database = try open()
        let sql = "SELECT $2, $1, $3, $4, NULL"
        let values: [SQLValue] = ["text", .integer(5_000_000_000), .blob(Data([1, 2])), 1]
        let rows = try database.query(sql, values) { row in
            let plain: [SQLValue] = [
                .text(try row.text(1)), .integer(try row.integer(0)), .blob(try row.blob(2)),
                try row.flag(3) ? 1 : 0,
            ]
            let optional: [SQLValue] = [
                .text(try row.optionalText(1)), .integer(try row.optionalInteger(0)), .blob(try row.optionalBlob(2)),
                .integer(try row.optionalInteger(3)),
            ]
            let missing: [SQLValue] = [
                .text(try row.optionalText(4)), .integer(try row.optionalInteger(4)), .blob(try row.optionalBlob(4)),
            ]
            return [plain, optional, missing]
        }
        #expect(rows == [[values, values, [.null, .null, .null]]])
    }

    @Test(arguments: [SQLValue.null, "12", .blob(Data("12".utf8))])
    func aColumnOfAnotherTypeIsRefused(value: SQLValue) throws {
        let database = try open()
        let error = #expect(throws: StorageError.self) {
            try database.query("SELECT $1 AS answer", [value]) { try $0.integer(0) }
        }
        #expect(error?.kind == .wrongType)
        #expect(error?.message.contains("column 0 (answer)") == true)
    }

    @Test func textThatIsNotUnicodeIsRefused() throws {
        let database = try open()
        let error = #expect(throws: StorageError.self) {
            try database.query("SELECT CAST(X'FF41' AS TEXT)") { try $0.text(0) }
        }
        #expect(error?.kind == .wrongType)
    }

    @Test(arguments: [("SELECT $1", []), ("SELECT $1", [1, 2]), ("SELECT :name", [1]), ("-- nothing", [])])
    func aStatementWithoutItsValuesIsRefused(_ sql: String, _ values: [SQLValue]) throws {
        let database = try open()
        #expect(throws: StorageError.self) { try database.query(sql, values) { try $0.value(0) } }
    }

    @Test(arguments: [-1, 2])
    func aMissingColumnIsRefused(_ column: Int) throws {
        let database = try open()
        #expect(throws: StorageError.self) { try database.query("SELECT 1, 2") { try $0.integer(column) } }
    }

    @Test func onlyOneStatementRunsAtATime() throws {
        let database = try open()
        let error = #expect(throws: StorageError.self) { try database.query("SELECT 1; SELECT 2") { _ in } }
        #expect(error?.sql == "SELECT 1; SELECT 2")
        #expect(try database.query("SELECT 1; -- the end") { try $0.integer(0) } == [1])
    }

    @Test func aStatementRunsWithinItself() throws {
        let database = try open()
        let sql = "SELECT 1 UNION SELECT 2"
        let counts = try database.query(sql) { _ in try database.query(sql) { _ in }.count }
        #expect(counts == [2, 2])
    }

    @Test func whatWasCommittedIsThereAfterReopening() throws {
        var database = try open()
        try insert("kept", database)
        try database.close()
        database = try open()
        #expect(try bodies(database) == ["kept"])
        #expect(try database.schemaVersion() == 2)
    }

    @Test func whatWasCommittedIsThereWithoutAClose() throws {
        let database = try open()
        try insert("kept", database)
        // A copy of the files is what a killed process leaves behind.
        let copy = folder.path + "/copy.sqlite"
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.database + suffix, toPath: copy + suffix)
        }
        #expect(try bodies(try Database.open(path: copy, migrations: Self.migrations)) == ["kept"])
    }

    @Test func closingEmptiesTheLog() throws {
        let database = try open()
        try insert("kept", database)
        try database.close()
        let log = folder.database + "-wal"
        let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        #expect((size ?? 0) == 0)
        #expect(throws: StorageError.self) { try bodies(database) }
    }

    @Test func aBrokenConstraintIsNamed() throws {
        let database = try open()
        let error = #expect(throws: StorageError.self) {
            try database.transaction { try $0.execute("INSERT INTO tag (note, name) VALUES (99, 'swift')") }
        }
        #expect(error?.kind == .constraint)
        #expect(error?.code == 787)
    }

    @Test func aCommitThatIsRefusedIsRolledBack() throws {
        let tables = """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
            """
        let database = try Database.open(path: folder.database, migrations: [Migration(1, tables)])
        let error = #expect(throws: StorageError.self) {
            try database.transaction { try $0.execute("INSERT INTO child VALUES (1)") }
        }
        #expect(error?.outcome == .rolledBack)
        #expect(try database.query("SELECT parent FROM child") { try $0.integer(0) }.isEmpty)
        try database.transaction { _ = try $0.execute("INSERT INTO parent VALUES (1)") }
    }

    @Test func aMigrationThatFailsLeavesNothingBehind() throws {
        let broken = [
            Self.migrations[0], Migration(2, "CREATE TABLE extra (id INTEGER); INSERT INTO nowhere VALUES (1);"),
        ]
        let error = #expect(throws: StorageError.self) { try Database.open(path: folder.database, migrations: broken) }
        #expect(error?.message.contains("nowhere") == true)
        let database = try Database.open(path: folder.database, migrations: [])
        #expect(try database.schemaVersion() == 0)
        #expect(try database.query("SELECT name FROM sqlite_schema") { try $0.text(0) }.isEmpty)
    }

    @Test func aFileThatIsMovedAwayIsNoticed() throws {
        let database = try open()
        #expect(!database.hasMoved)
        try FileManager.default.moveItem(atPath: folder.database, toPath: folder.path + "/moved")
        #expect(database.hasMoved)
        try Data().write(to: URL(filePath: folder.database))
        #expect(database.hasMoved, "another file is there")
        try database.close()
    }

    @Test func missingFoldersAreMade() throws {
        let path = folder.path + "/a/b/c/store.sqlite"
        try Database.open(path: path, migrations: Self.migrations).close()
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func aFolderThatCannotBeMadeIsNamed() throws {
        let file = folder.path + "/file"
        try Data("not a folder".utf8).write(to: URL(fileURLWithPath: file))
        for below in ["/store.sqlite", "/deeper/store.sqlite"] {
            let error = #expect(throws: StorageError.self) { try Database.open(path: file + below, migrations: []) }
            #expect(error?.kind == .cannotOpen)
            #expect(error?.systemErrorNumber == ENOTDIR)
            #expect(error?.description.contains("the folder \(file)") == true)
        }
    }

    @Test func aFileOfAnotherKindIsRefused() throws {
        try Data(String(repeating: "This is a letter. ", count: 500).utf8).write(to: URL(filePath: folder.database))
        let error = #expect(throws: StorageError.self) { try open() }
        #expect(error?.kind == .notADatabase)
        #expect(error?.description.contains("restore a backup") == true)
        let folderError = #expect(throws: StorageError.self) { try Database.open(path: folder.path, migrations: []) }
        #expect(folderError?.kind == .cannotOpen)
    }

    @Test func aDamagedFileIsReported() throws {
        var database = try open()
        for number in 0..<300 { try insert("note \(number) " + String(repeating: "x", count: 200), database) }
        try database.close()
        let file = try #require(FileHandle(forUpdatingAtPath: folder.database))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4096))
        try file.close()
        database = try open()
        let error = #expect(throws: StorageError.self) { try bodies(database) }
        #expect(error?.kind == .corrupt)
        #expect(error?.path == folder.database)
    }

    @Test func aSecondWriterIsToldThatTheDatabaseIsBusy() throws {
        let first = try open()
        let timeout = Duration.milliseconds(20)
        let second = try Database.open(path: folder.database, migrations: Self.migrations, busyTimeout: timeout)
        let (error, seen) = try first.transaction { transaction in
            try transaction.execute("INSERT INTO note (body) VALUES ('first')")
            do {
                try insert("second", second)
                return (nil as StorageError?, try bodies(second))
            } catch let error as StorageError {
                return (error, try bodies(second))
            }
        }
        #expect(error?.kind == .busy)
        #expect(seen.isEmpty)
        try insert("second", second)
        #expect(try bodies(first) == ["first", "second"])
    }
}
