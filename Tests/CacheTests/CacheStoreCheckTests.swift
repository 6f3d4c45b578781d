// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the Tidings authors

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
    private var store: CheckedStore { CheckedStore(path, by: CacheStore.check) }

    init() throws { folder = try TemporaryFolder() }

    // The stores contain the texts of the migrations that made them; `OwnerRow` has one of them.
    @Test func theTextsOfTheMigrationsNeverChange() {
        let digest = CheckedStore.digest(CacheMigrations.all, without: 6)
        #expect(digest == "225a51712462f110577e4fe1beb5596d5d13af8902a01b1a6a24960ea81977db")
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
        var push = PushRequest(client: "s", counter: 1, widget: CacheFixture.widget(1), content: content)
        push.bodyDigest = digest
        feed(.push(2, push, digest, bytes))
        try store.write(writes + [.saveHost("example.org", HostRecord())])
        store.close()
    }

    @Test func eachTableOfTheCacheIsChecked() throws {
        try fill()
        let rows = try store.rows()
        for (table, count) in rows { #expect(count > 0, "this test needs rows in '\(table)'") }
        #expect(Set(CacheStore.tableChecks.map(\.table)) == Set(rows.keys))
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
        "leases SET expires = 'x'", "leases SET host = x'00'", "leases SET asks_configured = 'x'",
        "hosts SET host = x'00'", "hosts SET state = x'5b5d'",
        "commands SET client = x'00'", "commands SET widget = 'no id'", "commands SET counter = '-1'",
        "commands SET sequence = 'x'", "commands SET at = 'x'", "commands SET body_digest = 'x'",
        "display_sets SET id = x'00'", "display_sets SET displays = x'7b7d'",
    ])
    func aRowThatTheCacheCannotReadIsNamed(change: String) throws {
        try expectRefusal(after: change, naming: change.prefix { $0 != " " })
    }

    @Test(arguments: ["'77'", "NULL"])
    func aWidgetWithoutTheDisplaysOfItsNewestStateIsNamed(displays: String) throws {
        try expectRefusal(after: "cycles SET displays = \(displays)", naming: "widgets")
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

    /// Changes the last row of a table of a new store, and expects that the check names a table.
    private func expectRefusal(after change: String, naming table: Substring) throws {
        try fill()
        let refusal = try store.refusal(after: change)
        #expect(refusal?.contains("of the table '\(table)': ") == true, "\(refusal ?? "it is accepted")")
    }

    @Test func aCopyOfEachEarlierVersionIsCorrect() throws {
        try CheckedStore.expectCorrect(CacheMigrations.all, by: CacheStore.check)
    }
}
