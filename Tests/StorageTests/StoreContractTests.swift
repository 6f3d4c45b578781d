// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Foundation
import TestSupport
import Testing
import WidgetSchema

@testable import Storage

/// The rules of a store, which hold on each engine.
@Suite(.serialized) struct StoreContractTests {
    enum EngineName: String, CaseIterable, Sendable {
        case sqlite, postgreSQL
    }

    private static let migrations = [
        Migration(
            1,
            "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body TEXT, bytes BLOB, weight BIGINT);",
            postgreSQL: [
                "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, body TEXT, bytes BYTEA, weight BIGINT)"
            ]
        ),
        Migration(
            2,
            "ALTER TABLE note ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'; CREATE INDEX note_author ON note (author);",
            postgreSQL: [
                "ALTER TABLE note ADD COLUMN author TEXT NOT NULL DEFAULT 'nobody'",
                "CREATE INDEX note_author ON note (author)",
            ]
        ),
    ]

    /// Runs `body` with a place for stores that holds none yet.
    private func with(_ engine: EngineName, _ body: (StoreLocation) throws -> Void) throws {
        switch engine {
        case .sqlite:
            let folder = try TemporaryFolder()
            try body(.folder(StoreFolder(folder.path)))
        case .postgreSQL:
            try body(.server(try PostgreSQLServer.running().makeDatabase()))
        }
    }

    private func open(
        _ location: StoreLocation,
        service: String = "cache",
        versions: Int = 2,
        opening: StoreOpening = StoreOpening()
    ) throws -> FencedDatabase {
        let migrations = Array(Self.migrations.prefix(versions))
        return try FencedDatabase(location, StoreSchema(service: service, migrations: migrations), opening: opening)
    }

    /// Runs `body` with an open store.
    private func withStore(_ engine: EngineName, _ body: (FencedDatabase) throws -> Void) throws {
        try with(engine) { location in
            let store = try open(location)
            defer { store.close() }
            try body(store)
        }
    }

    @Test(arguments: EngineName.allCases)
    func valuesComeBackAsTheyWent(_ engine: EngineName) throws {
        try withStore(engine) { store in
            let rows: [[SQLValue]] = [
                [.integer(0), .text(""), .blob(Data()), 1],
                [.integer(.max), .text("Grüße 🧭 \u{0}\u{1}0\u{1}\u{0}"), .blob(Data([0, 255, 0])), .integer(.min)],
                [.integer(.min), .null, .null, .null],
                [.unsigned(.max - 1), .text(String(repeating: "é", count: 1 << 18)), .blob(Data(count: 1 << 20)), 5],
            ]
            try store.transaction { transaction in
                for row in rows {
                    try transaction.enqueue("INSERT INTO note (id, body, bytes, weight) VALUES ($1, $2, $3, $4)", row)
                }
            }
            for row in rows {
                let read = try store.query("SELECT id, body, bytes, weight, author FROM note WHERE id = $1", [row[0]]) {
                    try [$0.value(0), $0.value(1), $0.value(2), $0.value(3), $0.value(4)]
                }
                #expect(read == [row + ["nobody"]])
            }
            let error = #expect(throws: StorageError.self) {
                try store.query("SELECT body FROM note WHERE id = 0") { try $0.integer(0) }
            }
            #expect(error?.kind == .wrongType)
        }
    }

    @Test(arguments: EngineName.allCases)
    func statementsOfATransactionSeeOneAnother(_ engine: EngineName) throws {
        try withStore(engine) { store in
            try store.transaction { transaction in
                for id in 1...100 as ClosedRange<Int64> {
                    let body: SQLValue = id % 2 == 0 ? .null : .text("\(id)")
                    try transaction.enqueue("INSERT INTO note (id, body) VALUES ($1, $2)", [.integer(id), body])
                }
                #expect(try transaction.execute("UPDATE note SET weight = 1 WHERE id <= $1", [.integer(40)]) == 40)
                var found: [Int: [Int64]] = [:]
                let sets: [[SQLValue]] = [[.integer(98)], [.integer(200)], [.null], [.integer(99)]]
                try transaction.query("SELECT id FROM note WHERE id > $1 ORDER BY id", sets: sets) { index, row in
                    found[index, default: []].append(try row.integer(0))
                }
                #expect(found == [0: [99, 100], 3: [100]])
                let deleted = try transaction.execute("DELETE FROM note WHERE id = $1", sets: sets)
                #expect(deleted == 2)
            }
            #expect(try store.ids().count == 98)
        }
    }

    @Test(arguments: EngineName.allCases)
    func aTransactionThatFailsLeavesNothingAndTheNextOneSucceeds(_ engine: EngineName) throws {
        struct Stop: Error {}
        try withStore(engine) { store in
            try store.insert(1)
            #expect(throws: Stop.self) {
                try store.transaction { transaction in
                    try transaction.enqueue("INSERT INTO note (id) VALUES (2)")
                    throw Stop()
                }
            }
            for _ in 0..<2 {
                let error = #expect(throws: StorageError.self) {
                    try store.transaction { transaction in
                        try transaction.enqueue("INSERT INTO note (id) VALUES (3)")
                        try transaction.enqueue("INSERT INTO note (id) VALUES (1)")
                        try transaction.enqueue("INSERT INTO note (id) VALUES (4)")
                    }
                }
                #expect(error?.kind == .constraint)
                #expect(error?.sql == "INSERT INTO note (id) VALUES (1)")
            }
            let error = #expect(throws: StorageError.self) {
                try store.transaction { try $0.execute("INSERT INTO nowhere (id) VALUES (1)") }
            }
            #expect(error?.message.contains("nowhere") == true)
            try store.insert(5)
            #expect(try store.ids() == [1, 5])
        }
    }

    @Test(arguments: EngineName.allCases)
    func aProcessThatWasTakenOverWritesNothing(_ engine: EngineName) throws {
        try with(engine) { location in
            let old = try open(location)
            let other = try open(location)
            let expected = StoreTakenOver(path: old.path, service: "cache", token: 1, owner: 2)
            #expect(throws: expected) { try old.insert(1) }
            #expect(throws: expected) { try old.checkOwnership() }
            try other.insert(2)
            try other.checkOwnership()
            #expect(try other.ids() == [2])
            old.close()
            other.close()
        }
    }

    @Test(arguments: EngineName.allCases)
    func aStoreWithoutItsOwnerRowBelongsToNobody(_ engine: EngineName) throws {
        try withStore(engine) { store in
            #expect(throws: StoreTakenOver.self) {
                try store.transaction { try $0.enqueue("DELETE FROM owner") }
                try store.insert(1)
            }
            #expect(throws: StoreTakenOver.self) { try store.checkOwnership() }
            let found = try store.ids()
            #expect(found == [])
        }
    }

    @Test(arguments: EngineName.allCases)
    func aRestoreIsRememberedUntilItIsAccepted(_ engine: EngineName) throws {
        try with(engine) { location in
            let store = try open(location)
            #expect(!store.wasRestored)
            try store.transaction { try $0.enqueue("UPDATE owner SET place = 'elsewhere'") }
            store.close()
            for _ in 0..<2 {
                let restored = try open(location)
                #expect(restored.wasRestored)
                restored.close()
            }
            let restored = try open(location)
            try restored.transaction { try restored.acceptRestore(in: $0) }
            #expect(!restored.wasRestored)
            restored.close()
            let next = try open(location)
            #expect(!next.wasRestored)
            next.close()
        }
    }

    @Test(arguments: EngineName.allCases)
    func tablesAreMigratedForwardAndANewerSchemaIsRefused(_ engine: EngineName) throws {
        try with(engine) { location in
            let first = try open(location, versions: 1)
            try first.insert(1)
            first.close()
            let second = try open(location, versions: 2)
            #expect(try second.query("SELECT author FROM note") { try $0.text(0) } == ["nobody"])
            second.close()
            let error = #expect(throws: StorageError.self) { try open(location, versions: 1) }
            #expect(error?.kind == .newerSchema)
            let text = error?.description ?? ""
            for part in [second.path, "version 2", "up to 1", "use the newer program"] { #expect(text.contains(part)) }
        }
    }

    // MARK: Standbys

    @Test(arguments: EngineName.allCases)
    func aStandbyTakesOverWhenTheOwnerRenewsNothing(_ engine: EngineName) throws {
        try with(engine) { location in
            let watch = OwnerWatch(location, service: "cache", lease: .zero)
            #expect(try watch.isStoreFree(), "nobody owns the store yet")
            let old = try open(location, opening: StoreOpening(takeover: watch.takeover))
            try old.insert(1)
            #expect(try !watch.isStoreFree())
            try old.insert(2)
            #expect(try !watch.isStoreFree(), "a transaction is a sign of life")
            #expect(try watch.isStoreFree())
            let new = try open(location, opening: StoreOpening(takeover: watch.takeover))
            #expect(new.term.token == old.term.token + 1)
            #expect(throws: StoreTakenOver.self) { try old.insert(3) }
            #expect(throws: StoreTakenOver.self) { try old.checkOwnership() }
            try new.insert(4)
            #expect(try new.ids() == [1, 2, 4])
            watch.close()
            new.close()
        }
    }

    @Test(arguments: EngineName.allCases)
    func aStandbyOpensANewStoreWhoseMigrationsCreateTheOwner(_ engine: EngineName) throws {
        try with(engine) { location in
            let owner = "CREATE TABLE owner (token BIGINT NOT NULL); INSERT INTO owner (token) VALUES (0);"
            let migrations = [Migration(1, owner, postgreSQL: []), Migration.movingOwner(2, of: "cache")]
            let schema = StoreSchema(service: "cache", migrations: migrations)
            let watches = (1...2).map { _ in OwnerWatch(location, service: "cache", lease: .seconds(3600)) }
            for watch in watches { #expect(try watch.isStoreFree()) }
            func open(_ watch: OwnerWatch) throws -> FencedDatabase {
                try FencedDatabase(location, schema, opening: StoreOpening(takeover: watch.takeover))
            }
            let first = try open(watches[0])
            #expect(throws: StoreOwnerChanged.self) { try open(watches[1]) }
            try first.checkOwnership()
            #expect(try !watches[1].isStoreFree())
            first.close()
        }
    }

    @Test(arguments: EngineName.allCases)
    func anIdleOwnerRenewsItsLeaseWhenItChecksItsOwnership(_ engine: EngineName) throws {
        try with(engine) { location in
            let owner = try open(location, opening: StoreOpening(lease: .zero))
            let watch = OwnerWatch(location, service: "cache", lease: .zero)
            #expect(try !watch.isStoreFree())
            for _ in 1...3 {
                try owner.checkOwnership()
                #expect(try !watch.isStoreFree())
            }
            #expect(try watch.isStoreFree())
            owner.close()
            watch.close()
        }
    }

    @Test(arguments: EngineName.allCases)
    func aStandbyDoesNotTakeAStoreFromAnOwnerThatHasComeBack(_ engine: EngineName) throws {
        try with(engine) { location in
            let owner = try open(location)
            let watch = OwnerWatch(location, service: "cache", lease: .zero)
            #expect(try !watch.isStoreFree())
            #expect(try watch.isStoreFree())
            try owner.insert(1)
            #expect(throws: StoreOwnerChanged.self) {
                try open(location, opening: StoreOpening(takeover: watch.takeover))
            }
            try owner.insert(2)
            #expect(try owner.ids() == [1, 2])
            owner.close()
            watch.close()
        }
    }

    @Test(arguments: EngineName.allCases)
    func aStoreThatWasClosedInOrderIsFreeAtOnce(_ engine: EngineName) throws {
        try with(engine) { location in
            let watch = OwnerWatch(location, service: "cache", lease: .seconds(3600))
            let old = try open(location)
            #expect(try !watch.isStoreFree())
            old.close()
            #expect(try watch.isStoreFree())
            let new = try open(location, opening: StoreOpening(takeover: watch.takeover))
            #expect(try !watch.isStoreFree())
            new.close()
            watch.close()
        }
    }
}

extension FencedDatabase {
    /// Commits a note.
    func insert(_ id: Int64) throws {
        try transaction { try $0.enqueue("INSERT INTO note (id, body) VALUES ($1, $2)", [.integer(id), "a"]) }
    }

    /// Returns the ids of the notes that are committed.
    func ids() throws -> [Int64] { try query("SELECT id FROM note ORDER BY id") { try $0.integer(0) } }
}
