// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing

@testable import Storage

/// Stores that move between a folder and a server, as `tidings backup`, `restore` and `store copy` move them.
@Suite(.serialized) struct StoreCopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let migrations = [
        Migration(
            1,
            "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body TEXT, bytes BLOB); CREATE TABLE empty (id BIGINT);",
            postgreSQL: [
                "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body TEXT, bytes BYTEA)",
                "CREATE TABLE empty (id BIGINT)",
            ]
        )
    ]
    /// More than are copied at once.
    private static let rows: [[SQLValue]] = (0..<1203).map { number in
        [
            .unsigned(UInt64(number) * 1_000_003), number % 3 == 0 ? .null : .text("row \(number) \u{0}"),
            number % 5 == 0 ? .null : .blob(Data(repeating: UInt8(number % 256), count: number)),
        ]
    }

    private func open(_ location: StoreLocation) throws -> FencedDatabase {
        try FencedDatabase(location, StoreSchema(service: "cache", migrations: Self.migrations))
    }

    private func fill(_ store: FencedDatabase) throws {
        try store.transaction { transaction in
            try transaction.execute("INSERT INTO note (id, body, bytes) VALUES ($1, $2, $3)", sets: Self.rows)
        }
    }

    private func rows(_ store: FencedDatabase) throws -> [[SQLValue]] {
        try store.query("SELECT id, body, bytes FROM note ORDER BY id") { row in
            try [row.value(0), row.value(1), row.value(2)]
        }
    }

    /// Copies the store of one place to another through a file.
    private func copy(from source: StoreLocation, to target: StoreLocation, _ file: String) throws {
        try source.backUp("cache", to: file)
        try target.prepareRestore(of: "cache", from: file)
        _ = try target.restore("cache", from: file)
    }

    @Test func aStoreComesBackFromAServerAsItWentThere() throws {
        let first = try TemporaryFolder()
        let last = try TemporaryFolder()
        let server = StoreLocation.server(try PostgreSQLServer.running().makeDatabase())
        let source = StoreLocation.folder(StoreFolder(first.path))
        let target = StoreLocation.folder(StoreFolder(last.path))
        let original = try open(source)
        try fill(original)
        #expect(try server.holds("cache") == false)
        try copy(from: source, to: server, first.path + "/copy")
        #expect(try server.holds("cache"))
        try copy(from: server, to: target, first.path + "/copy-of-the-copy")
        for place in [server, target] {
            let store = try open(place)
            #expect(try rows(store) == Self.rows)
            #expect(store.wasRestored, "the original may have gone on")
            store.close()
        }
        original.close()
    }

    @Test func aBackupOfAServerHoldsOneMomentAndNoMore() throws {
        let server = StoreLocation.server(try PostgreSQLServer.running().makeDatabase())
        let store = try open(server)
        try fill(store)
        let file = folder.path + "/backup"
        try server.backUp("cache", to: file)
        try store.transaction { try $0.execute("DELETE FROM note") }
        try server.prepareRestore(of: "cache", from: file)
        _ = try server.restore("cache", from: file)
        // The process that runs notices with its next transaction.
        let error = #expect(throws: StoreTakenOver.self) { try store.transaction { _ in } }
        #expect((error?.owner ?? 0) > 1000)
        store.close()
        let restored = try open(server)
        #expect(restored.wasRestored)
        #expect(try rows(restored) == Self.rows)
        restored.close()
    }

    @Test func manyRestoresOnAServerLeaveTheTokenInItsTimeline() throws {
        let url = try PostgreSQLServer.running().makeDatabase()
        let server = StoreLocation.server(url)
        try open(server).close()
        let first = try #require(try StoreServer(url: url).present("cache")).token
        let file = folder.path + "/backup"
        for number in 1...12 {
            try server.backUp("cache", to: "\(file)\(number)")
            try server.prepareRestore(of: "cache", from: "\(file)\(number)")
            _ = try server.restore("cache", from: "\(file)\(number)")
        }
        let last = try #require(try StoreServer(url: url).present("cache")).token
        #expect(last == first + 12 * StoreCopy.restoreStep)
    }

    @Test func aCopyWithoutItsMigrationsIsNotPutOnAServer() throws {
        let server = StoreLocation.server(try PostgreSQLServer.running().makeDatabase())
        let owner = Migration(1, "CREATE TABLE owner (id INTEGER PRIMARY KEY, token BIGINT NOT NULL);")
        let former = try Database.open(path: folder.database, migrations: [owner])
        try former.close()
        let error = #expect(throws: StorageError.self) { try server.prepareRestore(of: "cache", from: folder.database) }
        #expect(error?.kind == .newerSchema)
        #expect(error?.description.contains("start the services once with the store in a folder") == true)
        #expect(try server.holds("cache") == false)
    }
}
