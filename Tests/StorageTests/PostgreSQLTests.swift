// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import Telemetry
import TestSupport
import Testing

@testable import Storage

/// Tests of what only a server can do to a store.
@Suite(.serialized) struct PostgreSQLTests {
    private static let migrations = [
        Migration(
            1,
            "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body TEXT);",
            postgreSQL: ["CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body TEXT)"]
        )
    ]

    private let server: PostgreSQLServer
    /// The address of a new database.
    private let url: String

    init() throws {
        server = try PostgreSQLServer.running()
        url = try server.makeDatabase()
    }

    private func open(_ url: String) throws -> FencedDatabase {
        try FencedDatabase(.server(url), StoreSchema(service: "cache", migrations: Self.migrations))
    }

    private func name(of url: String) -> String { String(url.split(separator: "/").last ?? "") }

    @Test func servicesShareADatabaseWithoutSharingAnOwner() throws {
        let cache = try open(url)
        let notifier = try FencedDatabase(.server(url), StoreSchema(service: "notifier", migrations: []))
        try cache.insert(1)
        try notifier.checkOwnership()
        try notifier.transaction { _ in }
        cache.close()
        notifier.close()
    }

    @Test func servicesThatShareANewDatabaseMayStartAtTheSameTime() throws {
        for _ in 0..<20 {
            let url = try server.makeDatabase()
            DispatchQueue.concurrentPerform(iterations: 4) { number in
                let schema = StoreSchema(service: "service\(number)", migrations: [])
                #expect(throws: Never.self) { try FencedDatabase(.server(url), schema).close() }
            }
        }
    }

    @Test func aLostConnectionFailsOneTransactionAndTheNextOneConnectsAgain() throws {
        let store = try open(url)
        try store.insert(1)
        try server.terminateConnections(to: name(of: url))
        let error = #expect(throws: StorageError.self) { try store.checkOwnership() }
        #expect(error?.kind == .disconnected)
        #expect(error?.description.contains("check that the server runs") == true)
        try store.checkOwnership()
        try store.insert(2)
        #expect(try store.ids() == [1, 2])
        store.close()
    }

    // To the server, a session within a pipeline is not idle, so the server would wait for it without end.
    @Test func aTakeoverEndsTheSessionOfAnOwnerThatIsSuspendedWithinATransaction() throws {
        let owner = try open(url)
        try owner.insert(1)
        let log = InMemoryLog()
        #expect(throws: StoreTakenOver.self) {
            try owner.transaction { transaction in
                try transaction.execute("INSERT INTO note (id) VALUES (2)")
                // The owner does nothing while the other one opens the store.
                let begun = ContinuousClock.now
                let opening = StoreOpening(takeover: .immediate, lease: .seconds(1))
                let schema = StoreSchema(service: "cache", migrations: Self.migrations)
                let logger = Logger(label: "storage", minimumLevel: .info, handler: log)
                let next = try FencedDatabase(.server(url), schema, opening: opening, log: logger)
                #expect(ContinuousClock.now - begun >= .seconds(1))
                try next.insert(3)
                #expect(try next.ids() == [1, 3])
                next.close()
            }
        }
        #expect(log.entries.contains { $0.message.hasPrefix("A database session") && $0[.count] == "1" })
        owner.close()
    }

    // A service must not end a session that belongs to another program, even if it holds the lock.
    @Test(arguments: [false, true])
    func aTakeoverDoesNotEndTheSessionsOfOthers(_ isRestore: Bool) throws {
        try open(url).close()
        let other =
            try isRestore
            ? PostgreSQLDatabase(url: url, service: "cache", migrations: Self.migrations, isRestore: true)
            : PostgreSQLDatabase(existing: url, service: "administrator")
        let error = #expect(throws: StorageError.self) {
            try other.transaction { transaction in
                try transaction.execute("UPDATE owner SET place = place")
                _ = try open(url)
            }
        }
        #expect(error?.kind == .busy)
        _ = try other.query("SELECT 1", []) { try $0.integer(0) }
    }

    // The connection ends within the transaction, so the server does not receive COMMIT.
    @Test func aCommitThatNeverArrivedIsNotTakenForOne() throws {
        let store = try open(url)
        let error = #expect(throws: StorageError.self) {
            try store.transaction { transaction in
                try transaction.enqueue("INSERT INTO note (id) VALUES (1)")
                try server.terminateConnections(to: name(of: url))
            }
        }
        #expect(error?.kind == .disconnected)
        try store.insert(2)
        #expect(try store.ids() == [2])
        store.close()
    }

    // The server commits, and the connection ends before its answer arrives.
    @Test func aCommitWhoseAnswerWasLostIsFound() throws {
        let relay = try Relay(to: server.folder.appending(path: ".s.PGSQL.5432").path)
        let store = try open(server.address(of: name(of: url), socketFolder: relay.folder))
        try store.insert(1)
        relay.cutAtNextCommit()
        try store.insert(2)
        #expect(relay.cuts == 1, "the answer to the commit was lost")
        try store.insert(3)
        #expect(try store.ids() == [1, 2, 3])
        #expect(try server.run("SELECT commits FROM owner", in: name(of: url)) == "3")
        store.close()
    }

    @Test func aTakeoverWhileTheAnswerIsLostIsNoticed() throws {
        let relay = try Relay(to: server.folder.appending(path: ".s.PGSQL.5432").path)
        let store = try open(server.address(of: name(of: url), socketFolder: relay.folder))
        relay.cutAtNextCommit { _ = try? server.run("UPDATE owner SET token = token + 1", in: name(of: url)) }
        #expect(throws: StoreTakenOver.self) { try store.insert(1) }
        #expect(relay.cuts == 1)
        store.close()
    }

    @Test func anotherTimelineCountsAsARestoreAndAnOlderOneIsRefused() throws {
        let first = try open(url)
        try first.insert(1)
        first.close()
        // The server itself is on timeline 1.
        #expect(try server.run("SELECT place FROM owner", in: name(of: url)) == "00000001")
        try server.run("UPDATE owner SET place = '00000000'", in: name(of: url))
        let second = try open(url)
        #expect(second.wasRestored)
        try second.transaction { try second.acceptRestore(in: $0) }
        second.close()
        let third = try open(url)
        #expect(!third.wasRestored)
        third.close()
    }

    // The new primary does not know the last takeover, because the former primary had not sent it yet.
    @Test func aTokenThatAFormerPrimaryHasGivenIsNotGivenAgain() throws {
        let server = try PostgreSQLServer.start()
        defer { try? server.stop() }
        let url = try server.makeDatabase()
        try open(url).close()
        let former = try open(url)
        try server.run("UPDATE owner SET token = token - 1", in: name(of: url))
        try server.promote()
        let current = try open(url)
        #expect(current.term > former.term)
        #expect(throws: StoreTakenOver.self) { try former.insert(1) }
        try current.insert(2)
        #expect(try current.ids() == [2])
        former.close()
        current.close()
    }

    @Test func aServerWithAnAsynchronousReplicaMayLoseCommits() throws {
        let server = try PostgreSQLServer.start()
        defer { try? server.stop() }
        let url = try server.makeDatabase()
        let store = try open(url)
        #expect(!store.failoverMayLoseCommits)
        let copy = FileManager.default.temporaryDirectory.appending(path: "tidings-wal-\(UUID())")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: copy) }
        // For the server, a client that receives its log is a replica.
        let replica = Process()
        replica.executableURL = URL(filePath: "/usr/bin/env")
        replica.arguments = ["pg_receivewal", "--no-loop", "-D", copy.path(), "-d", server.address(of: name(of: url))]
        try replica.start()
        defer {
            // After SIGTERM, it would wait for the server's answer.
            kill(replica.processIdentifier, SIGKILL)
            replica.waitUntilExit()
        }
        let wait = """
            DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_stat_replication) LOOP
            PERFORM pg_stat_clear_snapshot(); END LOOP; END $$
            """
        try server.run(wait)
        #expect(store.failoverMayLoseCommits)
        try server.run("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try server.run("SELECT pg_reload_conf()")
        while store.failoverMayLoseCommits { try server.run("SELECT 1") }
        // Otherwise the last commit would wait for the replica.
        try server.run("ALTER SYSTEM RESET synchronous_standby_names")
        try server.run("SELECT pg_reload_conf()")
        while !store.failoverMayLoseCommits { try server.run("SELECT 1") }
        store.close()
    }

    // The new primary was a replica, so this process may know newer commits than the server.
    @Test func aPromotedServerIsNoticedWithTheNextConnectionAndCountsAsARestore() throws {
        let server = try PostgreSQLServer.start()
        defer { try? server.stop() }
        let url = try server.makeDatabase()
        let store = try open(url)
        try store.insert(1)
        try server.promote()
        let error = #expect(throws: StorageError.self) { try store.insert(2) }
        #expect(error?.kind == .disconnected)
        #expect(error?.description.contains("timeline 00000001 to 00000002") == true)
        // The service reads its state again before it writes anything else.
        try store.checkOwnership()
        #expect(store.wasRestored)
        try store.transaction { try store.acceptRestore(in: $0) }
        #expect(!store.wasRestored)
        try store.insert(3)
        #expect(try store.ids() == [1, 3])
        store.close()
        let next = try open(url)
        #expect(!next.wasRestored)
        next.close()
    }

    @Test func aDatabaseOfAnotherEncodingIsRefused() throws {
        let url = try server.makeDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        let error = #expect(throws: StorageError.self) { try open(url) }
        #expect(error?.kind == .unsuitable)
        #expect(error?.description.contains("ENCODING 'UTF8'") == true)
    }

    @Test func aServerThatIsTooOldIsRefused() {
        #expect(PostgreSQLDatabase.problem(version: 120_017, encoding: "UTF8")?.contains("PostgreSQL 12") == true)
        #expect(PostgreSQLDatabase.problem(version: PostgreSQLDatabase.minimumVersion, encoding: "UTF8") == nil)
    }

    @Test func aUserWithoutRightsIsToldWhichOnesAreMissing() throws {
        let user = "guest_\(name(of: url))"
        try server.run("CREATE ROLE \(user) LOGIN")
        let error = #expect(throws: StorageError.self) { try open(server.address(of: name(of: url), user: user)) }
        #expect(error?.kind == .missingRights)
        #expect(error?.sqlState == "42501")
        #expect(error?.description.contains("CREATE on the schema") == true)
    }

    @Test func aReadOnlyServerIsRefused() throws {
        try server.run("ALTER DATABASE \(name(of: url)) SET default_transaction_read_only = on")
        let error = #expect(throws: StorageError.self) { try open(url) }
        #expect(error?.kind == .readOnly)
    }

    @Test(arguments: [("53100", StorageError.Kind.full), ("55P03", .busy), ("25006", .readOnly), ("XX001", .corrupt)])
    func theServersErrorCodesHaveTheirKinds(_ code: String, _ kind: StorageError.Kind) throws {
        let store = try open(url)
        let error = #expect(throws: StorageError.self) {
            try store.transaction { transaction in
                try transaction.execute("DO $$ BEGIN RAISE 'as ordered' USING ERRCODE = '\(code)'; END $$")
            }
        }
        #expect(error?.kind == kind)
        #expect(error?.sqlState == code)
        try store.insert(1)
        store.close()
    }

    @Test func aServerThatIsNotThereIsNamedWithoutThePassword() throws {
        let error = #expect(throws: StorageError.self) {
            try open("postgresql://tidings:secret@%2Fnowhere:5499/tidings?sslmode=disable")
        }
        #expect(error?.kind == .disconnected)
        #expect(error?.path == "postgresql:///nowhere:5499/tidings")
        #expect(error?.description.contains("secret") == false)
        let malformed = #expect(throws: StorageError.self) { try open("postgresql://host:port:secret/x?y") }
        #expect(malformed?.kind == .cannotOpen)
        #expect(malformed?.description.contains("secret") == false)
    }

    // The transaction is larger than the socket buffers of both ends, in both directions.
    @Test func aLargeTransactionDoesNotBlockItself() throws {
        let store = try open(url)
        let text = String(repeating: "x", count: 4096)
        try store.transaction { transaction in
            let sets: [[SQLValue]] = (0..<500).map { _ in [.text(text)] }
            try transaction.query("SELECT $1 || generate_series(1, 100)", sets: sets) { _, row in
                let length = try row.text(0).utf8.count
                #expect(length > 4096)
            }
        }
        store.close()
    }
}
