// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

import Cryptography
import Foundation
import ServiceEngine
import Storage
import TestSupport
import Testing
import WidgetSchema

@testable import Cache

/// Copies of the cache's store in which one value is not what the cache writes.
@Suite final class CacheStoreCheckTests {
    private let folder: TemporaryFolder
    private var path: String { folder.url.appending(path: "cache.sqlite").path }

    init() throws { folder = try TemporaryFolder() }

    // Stores contain the texts of the migrations that made them; `OwnerRow` has one of them.
    @Test func theTextsOfTheMigrationsNeverChange() {
        let texts = CacheMigrations.all.filter { $0.number != 6 }.map {
            "\($0.number)\n\($0.sql)\n\($0.postgreSQL.joined(separator: "|"))\n"
        }
        #expect(
            SHA256.hexDigest(of: texts.joined()) == "e469db18ba21a82114f297b4df3d1cea8700992208301c9a715eebd35e6ec70b"
        )
    }

    /// Makes a store with rows in each table.
    private func fill() throws {
        let store = try CacheStore(path: path)
        let cache = CacheFixture(CacheFixture.plan(["https://a.example.org/", "https://b.example.org/"]))
        var writes = cache.core.handle(.start, now: cache.now).writes
        func feed(_ input: CacheInput) {
            writes += (cache.core.handle(input, now: cache.now) + cache.core.handle(.tick, now: cache.now)).writes
        }
        let content = Content.feed(FeedContent(items: [FeedItem(id: "1", title: "One")]))
        let bytes = try WireJSON.encode(content)
        let digest = CacheFixture.digest(String(decoding: bytes, as: UTF8.self))
        feed(.lease(1, requestID: "r", deadlineMilliseconds: 4000, LeaseRequest(slots: 2)))
        let (source, lease) = try #require(cache.core.state.leases.min { $0.key < $1.key })
        var fetched = Fetched(lease: lease.id, result: .content, answeredAt: cache.now)
        fetched.contents = [ContentReference(parsing: "feed", digest: digest)]
        feed(.fetched(source, fetched, contents: [digest: bytes]))
        let push = PushRequest(
            client: "s",
            counter: 1,
            widget: CacheFixture.widget(1),
            content: content,
            bodyDigest: digest
        )
        feed(.push(2, push, digest, bytes))
        try store.write(writes + [.saveHost("example.org", HostRecord())])
        store.close()
    }

    @Test func eachTableOfTheCacheIsChecked() throws {
        try fill()
        let database = try Database.open(existing: path)
        let tables = try database.query(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table'
            AND name NOT IN ('owner', 'owner_lease', 'fence', 'schema_step')
            """
        ) { try $0.text(0) }
        for table in tables {
            let count = try database.query("SELECT COUNT(*) FROM \(table)") { try $0.integer(0) }
            #expect(count != [0], "this test needs rows in '\(table)'")
        }
        try database.close()
        #expect(Set(CacheStore.tableChecks.map(\.table)) == Set(tables))
        try CacheStore.check.run(on: path)
    }

    @Test(arguments: [
        "widgets SET widget = 'no id'", "widgets SET state = x'7b7d'", "widgets SET displays = x'00'",
        "widgets SET sequence = 'x'",
        "cycles SET widget = 'other'", "cycles SET sequence = sequence + 1", "cycles SET first = 0",
        "cycles SET event = x'7b7d'", "cycles SET event = substr(event, 2)",
        "cycles SET content = '\(String(repeating: "a", count: 64))'", "cycles SET at = 'x'",
        "cycles SET state = x'7b7d'", "cycles SET displays = x'00'",
        "contents SET digest = '\(String(repeating: "a", count: 64))'", "contents SET digest = 'x'",
        "contents SET bytes = x'7b7d'",
        "sources SET source = 'x'", "sources SET state = x'7b7d'",
        "source_contents SET source = 'x'", "source_contents SET parsing = x'00'", "source_contents SET digest = 'x'",
        "leases SET source = 'x'", "leases SET lease = 'no id'", "leases SET request = x'00'",
        "leases SET expires = 'x'", "leases SET host = x'00'",
        "hosts SET host = x'00'", "hosts SET state = x'5b5d'",
        "commands SET client = x'00'", "commands SET widget = 'no id'", "commands SET counter = '-1'",
        "commands SET sequence = 'x'", "commands SET at = 'x'", "commands SET body_digest = 'x'",
        "display_sets SET id = x'00'", "display_sets SET displays = x'7b7d'",
    ])
    func aRowThatTheCacheCannotReadIsNamed(change: String) throws {
        let table = try #require(change.split(separator: " ").first)
        try expectRefusal(after: change, of: table, naming: "of the table '\(table)': ")
    }

    @Test(arguments: ["'77'", "NULL"])
    func aWidgetWithoutTheDisplaysOfItsNewestStateIsNamed(displays: String) throws {
        try expectRefusal(after: "cycles SET displays = \(displays)", of: "cycles", naming: "of the table 'widgets': ")
    }

    @Test(arguments: ["cycles", "source_contents"])
    func aContentThatIsMissingIsNamed(table: String) throws {
        try fill()
        let database = try Database.open(existing: path)
        try database.transaction { try $0.execute("DELETE FROM contents") }
        try database.close()
        let check = StoreCheck(CacheStore.schema, tables: CacheStore.tableChecks.filter { $0.table == table })
        let error = #expect(throws: StoreCheck.Failure.self) { try check.run(on: path) }
        #expect(error?.description.contains("the table 'contents' has no content with this digest") == true)
    }

    /// Changes the last row of a table of a new store, and expects that the check fails with a message.
    private func expectRefusal(after change: String, of table: Substring, naming expected: String) throws {
        try fill()
        let database = try Database.open(existing: path)
        try database.transaction { transaction in
            let changed = try transaction.execute("UPDATE \(change) WHERE rowid = (SELECT MAX(rowid) FROM \(table))")
            #expect(changed == 1)
        }
        try database.close()
        let error = #expect(throws: StoreCheck.Failure.self) { try CacheStore.check.run(on: path) }
        let isNamed = error?.description.contains(expected) == true
        #expect(isNamed, "\(error?.description ?? "it is accepted")")
    }

    @Test func aCopyOfEachEarlierVersionIsCorrect() throws {
        for version in 1...CacheMigrations.all.count {
            let earlier = folder.url.appending(path: "\(version).sqlite").path
            try Database.open(path: earlier, migrations: Array(CacheMigrations.all.prefix(version))).close()
            try CacheStore.check.run(on: earlier)
        }
    }
}
