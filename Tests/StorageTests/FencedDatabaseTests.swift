// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite struct FencedDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let migrations = [Migration(1, "CREATE TABLE note (body TEXT NOT NULL);")]

    private var stores: StoreFolder { StoreFolder(folder.path) }
    private var path: String { stores.database(of: "cache") }

    private func open() throws -> FencedDatabase {
        try FencedDatabase(.folder(stores), StoreSchema(service: "cache", migrations: Self.migrations))
    }

    private func insert(_ body: String, _ database: FencedDatabase) throws {
        try database.transaction { try $0.execute("INSERT INTO note (body) VALUES ($1)", [.text(body)]) }
    }

    private func notes(_ database: FencedDatabase) throws -> [String] {
        try database.query("SELECT body FROM note ORDER BY body") { try $0.text(0) }
    }

    @Test func theDatabaseItselfRefusesATransactionOfAFormerOwner() throws {
        let fenced = try open()
        let database = try Database.open(existing: path)
        for (token, service) in [(2, "cache"), (1, "notifier"), (0, "cache")] as [(Int64, String)] {
            let error = #expect(throws: StorageError.self) {
                try database.transaction { transaction in
                    try transaction.execute(OwnerRow.countStatement, [.text(service), .integer(token)])
                    try transaction.execute(OwnerRow.guardStatement, [.text(service), .integer(token), .integer(0)])
                }
            }
            #expect(error?.kind == .constraint)
            #expect(error?.message.contains("fence_held") == true)
        }
        try insert("a", fenced)
        fenced.close()
        try database.close()
    }

    // A power cut loses overwritten contents, although the file's time is there.
    @Test(arguments: [(30, false), (3600, true)])
    func aMarkIsACopyIfItsFileIsMuchNewerThanItsContents(_ seconds: Int, _ isCopy: Bool) throws {
        let database = folder.path + "/marked"
        let mark = try #require(StoreMark(beside: database))
        mark.write(7)
        let changed = Date.now.addingTimeInterval(TimeInterval(seconds))
        try FileManager.default.setAttributes([.modificationDate: changed], ofItemAtPath: database + StoreMark.suffix)
        #expect(try #require(StoreMark(beside: database)).wasCopied == isCopy)
    }

    @Test func aFileThatWasMovedOrReplacedIsNotWritten() throws {
        let fenced = try open()
        try insert("a", fenced)
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/moved")
        let expected = StoreTakenOver(path: path, service: "cache", token: 1, owner: nil)
        #expect(throws: expected) { try insert("b", fenced) }
        #expect(throws: expected) { try fenced.checkOwnership() }
        fenced.close()
    }

    @Test func aCopyInThePlaceOfTheStoreCountsAsRestoredUntilThatIsAccepted() throws {
        let copy = folder.path + "/copy"
        let first = try open()
        #expect(!first.wasRestored)
        try Database.copy(from: path, to: copy)
        try insert("a", first)
        first.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: copy, toPath: path)
        // A process that ends before it has dealt with that leaves it to the next one.
        for _ in 0..<2 {
            let restored = try open()
            #expect(restored.wasRestored)
            try insert("b", restored)
            restored.close()
        }
        let restored = try open()
        let failure = #expect(throws: StorageError.self) {
            try restored.transaction { transaction in
                try restored.acceptRestore(in: transaction)
                try transaction.execute("INSERT INTO note (body) VALUES (NULL)")
            }
        }
        #expect(failure?.kind == .constraint)
        #expect(restored.wasRestored, "nothing was committed")
        try restored.transaction { try restored.acceptRestore(in: $0) }
        #expect(!restored.wasRestored)
        restored.close()
        let next = try open()
        #expect(!next.wasRestored)
        next.close()
    }

    @Test func aRestoredBackupHasAnOwnerThatNobodyIs() throws {
        let location = StoreLocation.folder(stores)
        let store = try open()
        try insert("a", store)
        let backup = folder.path + "/backup"
        try stores.backUp("cache", to: backup)
        try insert("b", store)
        try location.prepareRestore(of: "cache", from: backup)
        #expect(try stores.restore("cache", from: backup) == nil)
        let error = #expect(throws: StoreTakenOver.self) { try insert("c", store) }
        #expect((error?.owner ?? 0) > 1000)
        store.close()
        let next = try open()
        #expect(next.wasRestored)
        #expect(try notes(next) == ["a"])
        next.close()
    }

    @Test func aDamagedStoreIsSetAsideByARestore() throws {
        let location = StoreLocation.folder(stores)
        let store = try open()
        try insert("a", store)
        store.close()
        let backup = folder.path + "/backup"
        try stores.backUp("cache", to: backup)
        try location.prepareRestore(of: "cache", from: backup)
        try Data("nonsense".utf8).write(to: URL(filePath: path))
        #expect(try stores.restore("cache", from: backup) == path + ".damaged")
        let next = try open()
        #expect(try notes(next) == ["a"])
        next.close()
    }

    @Test func unsignedNumbersSortAsNumbersToTheLastBit() throws {
        let migrations = [Migration(1, "CREATE TABLE number (value BIGINT)")]
        let database = try Database.open(path: path, migrations: migrations)
        let numbers: [UInt64] = [0, 1, 1_795_000_000_123, 1 << 62, 1 << 63, .max]
        try database.transaction { transaction in
            for number in numbers.reversed() {
                try transaction.execute("INSERT INTO number (value) VALUES ($1)", [.unsigned(number)])
            }
        }
        #expect(try database.query("SELECT value FROM number ORDER BY value") { try $0.unsigned(0) } == numbers)
        #expect(SQLValue.unsigned(nil) == .null)
        try database.close()
    }
}
