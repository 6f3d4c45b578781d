// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Storage

/// Tests of a full disk, and of the limits of the log and the caches.
@Suite struct StorageLimitTests {
    private let folder: TemporaryFolder
    private let database: Database

    init() throws {
        folder = try TemporaryFolder()
        database = try Database.open(path: folder.database, migrations: Self.migrations)
    }

    private static let migrations = [Migration(1, "CREATE TABLE box (id INTEGER PRIMARY KEY, bytes BLOB)")]

    private static let statement = "INSERT INTO box (bytes) VALUES ($1)"

    private func insert(_ bytes: Data) throws {
        try database.transaction { _ = try $0.execute(Self.statement, [.blob(bytes)]) }
    }

    private func count() throws -> Int64 {
        try database.query("SELECT count(*) FROM box") { try $0.integer(0) }[0]
    }

    @Test func aFullDiskFailsTheTransactionAndNothingElse() throws {
        try database.execute("PRAGMA max_page_count = 20")
        try insert(Data([1]))
        let error = #expect(throws: StorageError.self) {
            try database.transaction { transaction in
                try transaction.execute(Self.statement, [.blob(Data([2]))])
                try transaction.execute(Self.statement, [.blob(Data(repeating: 3, count: 200_000))])
            }
        }
        #expect(error?.kind == .full)
        #expect(try count() == 1)
        try database.execute("PRAGMA max_page_count = 1000")
        try insert(Data(repeating: 3, count: 200_000))
        #expect(try count() == 2)
    }

    @Test func aBodyThatOverlooksAFullDiskCommitsNothing() throws {
        try database.execute("PRAGMA max_page_count = 20")
        let error = #expect(throws: StorageError.self) {
            try database.transaction { transaction in
                try transaction.execute(Self.statement, [.blob(Data([1]))])
                _ = try? transaction.execute(Self.statement, [.blob(Data(repeating: 3, count: 200_000))])
                // SQLite has rolled back by itself, or does it here: the rest must not be a transaction of its own.
                _ = try? transaction.execute("ROLLBACK")
                _ = try? transaction.execute(Self.statement, [.blob(Data([2]))])
                _ = try? transaction.query("INSERT INTO box (bytes) VALUES (X'02') RETURNING id") { _ in }
            }
        }
        #expect(error?.kind == .transactionEnded)
        #expect(error?.outcome == .rolledBack)
        #expect(try count() == 0)
    }

    @Test(arguments: [(Int32(28), StorageError.Kind.full), (30, .readOnly), (5, .ioError)])
    func theSystemsNumberTellsWhatTheDiskRefused(_ number: Int32, _ kind: StorageError.Kind) {
        #expect(StorageError.Kind(ioError: number) == kind)
    }

    @Test func theLogIsEmptiedBeyondItsLimitOnly() throws {
        let log = folder.database + "-wal"
        func logSize() throws -> Int64 {
            try #require(FileManager.default.attributesOfItem(atPath: log)[.size] as? NSNumber).int64Value
        }
        try insert(Data(count: 1 << 20))
        #expect(try database.checkpointIfNeeded() == false)
        try insert(Data(count: Int(Database.checkpointBytes)))
        let grown = try logSize()
        #expect(grown > Database.checkpointBytes)
        #expect(try database.checkpointIfNeeded())
        #expect(try database.checkpointIfNeeded() == false, "until the next commit nothing is new")
        database.waitForCheckpoint()
        // From here on the log is written from its start again.
        try insert(Data(count: 1 << 20))
        #expect(try database.checkpointIfNeeded() == false)
        #expect(try logSize() == grown)
        #expect(try count() == 3)
    }

    // With a page cache that stays small, each commit reads keys from the file and writes its pages twice.
    @Test func thePageCacheGrowsWithTheDatabase() throws {
        func pageCacheKibibytes() throws -> Int64? {
            try database.query("PRAGMA cache_size") { -(try $0.integer(0)) }.first
        }
        let initial = try #require(try pageCacheKibibytes())
        for _ in 0..<3 {
            try insert(Data(count: Int(Database.checkpointBytes)))
            #expect(try database.checkpointIfNeeded())
            database.waitForCheckpoint()
        }
        #expect(try #require(try pageCacheKibibytes()) > initial)
    }

    // After each checkpoint, a writer that never pauses has already added to the log, which could grow without limit.
    @Test func theLogBeginsAnewUnderAWriterThatNeverPauses() throws {
        let megabyte = Data(count: 1 << 20)
        var checkpoints = 0
        while checkpoints < 3 {
            try insert(megabyte)
            if try database.checkpointIfNeeded() { checkpoints += 1 }
            try #require(try count() < 1000, "the log is never beyond its limit")
        }
        database.waitForCheckpoint()
        let written = try count()
        try insert(megabyte)
        #expect(try database.checkpointIfNeeded() == false, "the log was begun anew")
        try database.close()
        let again = try Database.open(path: folder.database, migrations: Self.migrations)
        #expect(try again.query("SELECT count(*) FROM box") { try $0.integer(0) } == [written + 1])
    }

    @Test func aCheckpointBesideALongReaderKeepsNoCommitWaiting() throws {
        try insert(Data(count: Int(Database.checkpointBytes)))
        let reader = try Database.open(existing: folder.database)
        // Shorter than a checkpoint waited for readers before.
        database.setBusyTimeout(.seconds(1))
        // The read transaction lasts as long as the query.
        try reader.query("SELECT 1 FROM box LIMIT 1") { _ in
            for _ in 0..<3 {
                try insert(Data(count: Int(Database.checkpointBytes)))
                #expect(try database.checkpointIfNeeded())
                for _ in 0..<100 { try insert(Data(count: 1)) }
                database.waitForCheckpoint()
            }
        }
        try reader.close()
    }

    @Test func manyDifferentStatementsDoNotPileUp() throws {
        for number in 0..<(SQLiteConnection.statementLimit * 3) {
            #expect(try database.query("SELECT \(number)") { try $0.integer(0) } == [Int64(number)])
        }
        #expect(try count() == 0)
    }
}
